package io.surewrite.write;

/**
 * A failure that says itself what it means for the write. What caused it is not looked at: that a request got no answer
 * says nothing of a write that was never sent.
 */
public interface ClassifiedFailure {

    /** {@return what the failure means for the write that met it} */
    FailureKind failureKind();
}
