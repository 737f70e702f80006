package io.surewrite.backlog;

import java.nio.file.Path;

/** Another process, or another context of this one, writes the same directory. */
public class BacklogLockedException extends BacklogException {

    /**
     * Creates the exception.
     *
     * @param directory the directory
     */
    public BacklogLockedException(Path directory) {
        super(
                "The backlog in %s is in use by another process, or another context of this one. Fix: give every one a directory of its own: surewrite.backlog.directory"
                        .formatted(directory),
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
