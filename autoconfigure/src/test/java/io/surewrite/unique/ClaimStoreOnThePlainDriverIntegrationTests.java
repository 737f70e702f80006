package io.surewrite.unique;

import io.surewrite.test.DriverAsItIs;

/** The table of claims keeps its contract with {@code surewrite.session.mode=off}. */
@DriverAsItIs
class ClaimStoreOnThePlainDriverIntegrationTests extends ClaimStoreIntegrationTests {}
