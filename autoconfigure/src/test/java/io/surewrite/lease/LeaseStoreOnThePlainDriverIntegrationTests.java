package io.surewrite.lease;

import io.surewrite.test.DriverAsItIs;

/** The table of leases keeps its contract with {@code surewrite.session.mode=off}. */
@DriverAsItIs
class LeaseStoreOnThePlainDriverIntegrationTests extends LeaseStoreIntegrationTests {}
