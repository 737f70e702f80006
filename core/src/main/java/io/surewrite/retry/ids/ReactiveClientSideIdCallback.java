package io.surewrite.retry.ids;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import org.reactivestreams.Publisher;
import org.springframework.core.Ordered;
import org.springframework.data.cassandra.core.mapping.event.ReactiveBeforeConvertCallback;
import reactor.core.publisher.Mono;

/** {@link ClientSideIdCallback} for reactive templates. */
public final class ReactiveClientSideIdCallback implements ReactiveBeforeConvertCallback<Object>, Ordered {

    private final ClientSideIds ids;

    /**
     * Creates the callback.
     *
     * @param ids fills them in
     */
    public ReactiveClientSideIdCallback(ClientSideIds ids) {
        this.ids = ids;
    }

    @Override
    public Publisher<Object> onBeforeConvert(Object entity, CqlIdentifier tableName) {
        return Mono.fromSupplier(() -> ids.fill(entity));
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
