package io.surewrite.write;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Takes writes that could not be done in time, to do them later. */
@FunctionalInterface
public interface WriteKeeper {

    /**
     * Keeps a write.
     *
     * @param decided when the write was decided, in microseconds: its timestamp, unless the statement states another
     * @param statement one statement or batch that may be run twice
     * @return completes when the write is durable; fails with {@link UnknownOutcomeException} if it may be kept and done
     *     all the same, and with anything else if it is not kept and will not be done
     */
    CompletableFuture<WriteReceipt> keep(String operation, long decided, Statement<?> statement);

    /**
     * {@return the keeper of what is sent to one session; it refuses to keep what it could not bring there}
     *
     * @param session the session's context, or null if it is not known where the write was sent
     */
    default WriteKeeper of(@Nullable DriverContext session) {
        return this;
    }

    /**
     * Makes sure that a statement stays prepared: the driver forgets one that is not referenced, and cannot prepare it anew
     * while the cluster is away.
     */
    default void remember(PreparedStatement statement) {}

    /** {@return a remembered statement by its text, to bind values while it cannot be prepared; null if there is none} */
    default @Nullable PreparedStatement recall(String cql) {
        return null;
    }
}
