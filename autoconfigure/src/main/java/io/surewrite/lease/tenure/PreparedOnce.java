package io.surewrite.lease.tenure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A statement that is prepared when it is first needed; after a failure, when it is needed again. */
final class PreparedOnce {

    private final CqlSession session;
    private final String cql;
    private volatile @Nullable CompletableFuture<PreparedStatement> prepared;

    PreparedOnce(CqlSession session, String cql) {
        this.session = session;
        this.cql = cql;
    }

    CompletionStage<PreparedStatement> get() {
        CompletableFuture<PreparedStatement> known = prepared;
        return known == null || known.isCompletedExceptionally() ? prepare() : known;
    }

    private synchronized CompletionStage<PreparedStatement> prepare() {
        CompletableFuture<PreparedStatement> known = prepared;
        if (known == null || known.isCompletedExceptionally()) {
            known = session.prepareAsync(cql).toCompletableFuture();
            prepared = known;
        }
        return known;
    }
}
