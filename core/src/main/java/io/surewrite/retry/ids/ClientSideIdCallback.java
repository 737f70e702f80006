package io.surewrite.retry.ids;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import org.springframework.core.Ordered;
import org.springframework.data.cassandra.core.mapping.event.BeforeConvertCallback;

/** Fills ids in for whatever is written through a template; after the callbacks of the user, who may do it himself. */
public final class ClientSideIdCallback implements BeforeConvertCallback<Object>, Ordered {

    private final ClientSideIds ids;

    /**
     * Creates the callback.
     *
     * @param ids fills them in
     */
    public ClientSideIdCallback(ClientSideIds ids) {
        this.ids = ids;
    }

    @Override
    public Object onBeforeConvert(Object entity, CqlIdentifier tableName) {
        return ids.fill(entity);
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
