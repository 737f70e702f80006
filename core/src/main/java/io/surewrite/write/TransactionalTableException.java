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

    private static final long serialVersionUID = 1L;

    private final FailureKind kind;

    /**
     * Creates the exception.
     *
     * @param writer what wanted to write
     * @param problem which table, which mode, why that matters, and the fix
     * @param passing whether the same write may be sent later, as the mode is not known yet
     */
    public TransactionalTableException(String writer, String problem, boolean passing) {
        super("%s: refused, and nothing was sent: %s".formatted(writer, problem));
        this.kind = passing ? FailureKind.NOT_APPLIED : FailureKind.WRONG_STATEMENT;
    }

    private TransactionalTableException(TransactionalTableException original) {
        super(String.valueOf(original.getMessage()));
        this.kind = original.kind;
    }

    @Override
    public FailureKind failureKind() {
        return kind;
    }

    /**
     * Refuses a write that carries its timestamp beside its text, if its table takes none.
     *
     * @param session the context of the session that sends it; null if that is not known
     * @param write about to be sent
     * @throws TransactionalTableException if Accord writes its table, or that is not known yet
     */
    public static void check(@Nullable DriverContext session, Request write) {
        TransactionalTables.Refusal refusal = TransactionalTables.refusal(session, write);
        if (refusal != null) {
            throw new TransactionalTableException("Write", refusal.problem(), refusal.passing());
        }
    }

    @Override
    public TransactionalTableException copy() {
        return new TransactionalTableException(this);
    }
}
