package io.surewrite.unique;

import io.surewrite.test.DriverAsItIs;

/** Unique values keep what they promise with {@code surewrite.session.mode=off}. */
@DriverAsItIs
class UniqueGuardOnThePlainDriverIntegrationTests extends UniqueGuardIntegrationTests {}
