package io.surewrite.unique;

/** Whether a value can still appear on the row of its former owner. */
sealed interface FenceResult {

    /**
     * It cannot: everything that was sent under the claim is dead.
     *
     * @param fence why
     */
    record Up(UniqueListener.Fence fence) implements FenceResult {}

    /** It is there. */
    record Carried() implements FenceResult {}

    /** Somebody else is at work on the row. */
    record Busy() implements FenceResult {}

    /**
     * The fence is not acknowledged.
     *
     * @param cause the last failure
     */
    record Unclear(Throwable cause) implements FenceResult {}
}
