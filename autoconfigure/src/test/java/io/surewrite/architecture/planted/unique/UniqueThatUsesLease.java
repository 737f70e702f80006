package io.surewrite.architecture.planted.unique;

import io.surewrite.architecture.planted.lease.LeaseThatKnowsRetry;

/** Allowed. */
record UniqueThatUsesLease(LeaseThatKnowsRetry lease) {}
