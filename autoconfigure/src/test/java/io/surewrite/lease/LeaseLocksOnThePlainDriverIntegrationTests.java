package io.surewrite.lease;

import io.surewrite.test.DriverAsItIs;
import io.surewrite.testsupport.LongLane;

/** Leases keep their contract with {@code surewrite.session.mode=off}. */
@DriverAsItIs
@LongLane // What differs, its store, has tests in the short lane.
class LeaseLocksOnThePlainDriverIntegrationTests extends LeaseLocksIntegrationTests {}
