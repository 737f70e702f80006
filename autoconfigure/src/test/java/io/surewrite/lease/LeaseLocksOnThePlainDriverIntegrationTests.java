package io.surewrite.lease;

import io.surewrite.test.DriverAsItIs;

/** Leases keep their contract with {@code surewrite.session.mode=off}. */
@DriverAsItIs
class LeaseLocksOnThePlainDriverIntegrationTests extends LeaseLocksIntegrationTests {}
