package io.surewrite.write;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.session.Request;
import io.surewrite.internal.compat.TransactionalTables;
import io.surewrite.write.WriteFailures.ClassifiedFailure;
import io.surewrite.write.WriteFailures.CopyableFailure;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.NonTransientDataAccessException;

/**
 * A sure write was refused, and not sent, because its table has a {@code transactional_mode} (Cassandra 6): Accord would
 * replace its timestamp. At the start it says which repository writes such a table.
 */
public class TransactionalTableException extends NonTransientDataAccessException
        implements CopyableFailure, ClassifiedFailure {

    private final FailureKind kind;

    private TransactionalTableException(String message, FailureKind kind) {
        super(message);
        this.kind = kind;
    }

    @Override
    public FailureKind failureKind() {
        return kind;
    }

    /**
     * Refuses a write that carries its timestamp beside its text, if its table takes none.
     *
     * @param session the context of the session that sends it; null if that is not known
     * @throws TransactionalTableException if Accord writes its table, or that is not known yet
     */
    public static void check(@Nullable DriverContext session, Request write) {
        TransactionalTables.Refusal refusal = TransactionalTables.refusal(session, write);
        if (refusal != null) {
            // While the mode is not known yet, the same write may be sent later.
            throw new TransactionalTableException(
                    "Write: refused, and nothing was sent: " + refusal.problem(),
                    refusal.passing() ? FailureKind.NOT_APPLIED : FailureKind.WRONG_STATEMENT);
        }
    }

    @Override
    public TransactionalTableException copy() {
        return new TransactionalTableException(String.valueOf(getMessage()), kind);
    }
}
