package io.surewrite.unique;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a read shows of a row of a {@link ScriptedGuard}.
 *
 * @param login null where there is none, or no row
 * @param writtenAt when it was written
 * @param newestWrite of all columns, such as the email
 */
record ShownRow(String owner, boolean exists, @Nullable String login, long writtenAt, long newestWrite)
        implements RowSnapshot {

    static ShownRow absent(String owner) {
        return new ShownRow(owner, false, null, NEVER, NEVER);
    }

    static ShownRow of(String owner, String login, long writtenAt) {
        return new ShownRow(owner, true, login, writtenAt, writtenAt);
    }

    @Override
    public Optional<UniqueValue> value(UniqueConstraint constraint) {
        return login == null ? Optional.empty() : Optional.of(ScriptedGuard.valueOf(constraint, login));
    }

    @Override
    public long writtenAt(UniqueConstraint constraint, int component) {
        return login == null ? NEVER : constraint.equals(ScriptedGuard.LOGIN) ? writtenAt : newestWrite;
    }
}
