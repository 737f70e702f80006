package io.surewrite.architecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** No classes of tests, in folders or in the archive that modules share them by. */
public final class ShippedOnly implements ImportOption {

    @Override
    public boolean includes(Location location) {
        return Predefined.DO_NOT_INCLUDE_TESTS.includes(location) && !location.contains("-tests.jar");
    }
}
