package io.surewrite.architecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** No classes of tests, in folders, those compiled without the checks among them, or in the archive that modules share them by. */
public final class ShippedOnly implements ImportOption {

    @Override
    public boolean includes(Location location) {
        return !location.contains("/test-classes/") && !location.contains("-tests.jar");
    }
}
