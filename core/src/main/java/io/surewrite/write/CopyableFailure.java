package io.surewrite.write;

/**
 * A failure that each caller may get in a copy of its own. An asynchronous step fails on another thread, as a rule one of the
 * driver, and its failure has the stack of that thread. A call that blocks throws a copy with the stack of its caller; the
 * failure itself, which others may get, stays as it is.
 */
@Internal
public interface CopyableFailure {

    /** {@return a failure of the same type, message, cause and contents, whose stack is that of the current thread} */
    RuntimeException copy();
}
