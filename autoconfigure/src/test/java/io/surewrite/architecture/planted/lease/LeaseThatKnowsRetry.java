package io.surewrite.architecture.planted.lease;

import io.surewrite.architecture.planted.retry.RetryThatKnowsLease;

/** Half of a cycle. */
public record LeaseThatKnowsRetry(RetryThatKnowsLease retry) {}
