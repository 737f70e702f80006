package io.surewrite.architecture.planted.retry;

import io.surewrite.architecture.planted.lease.LeaseThatKnowsRetry;

/** The other half. */
public record RetryThatKnowsLease(LeaseThatKnowsRetry lease) {}
