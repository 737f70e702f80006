package io.surewrite.unique;

import io.surewrite.test.DriverAsItIs;
import io.surewrite.testsupport.LongLane;

/** Unique values keep what they promise with {@code surewrite.session.mode=off}. */
@DriverAsItIs
@LongLane // What differs, its stores, has tests in the short lane.
class UniqueGuardOnThePlainDriverIntegrationTests extends UniqueGuardIntegrationTests {}
