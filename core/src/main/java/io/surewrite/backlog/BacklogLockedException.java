package io.surewrite.backlog;

import java.nio.file.Path;

/** Another process, or another context of this one, writes the same directory. */
public class BacklogLockedException extends BacklogException {

    /**
     * Creates the exception.
     *
     * @param directory the directory
     * @param owner the process that writes it, as it named itself
     */
    public BacklogLockedException(Path directory, String owner) {
        super(
                "The backlog in %s is in use by %s. Fix: give every process a directory of its own: surewrite.backlog.directory"
                        .formatted(directory, owner),
                null);
    }

    private BacklogLockedException(BacklogLockedException original) {
        super(String.valueOf(original.getMessage()), null);
    }

    @Override
    public BacklogLockedException copy() {
        return new BacklogLockedException(this);
    }
}
