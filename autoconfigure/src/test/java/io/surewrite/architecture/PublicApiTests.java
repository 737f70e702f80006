package io.surewrite.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The types that users may name, in a file made from the code: what comes or goes is seen in a review. After a change that is
 * meant, {@code mvn -q -pl autoconfigure -am -Dtest=PublicApiTests -Dsurewrite.api.write=true test} writes the file anew.
 */
class PublicApiTests {

    private static final Path LIST = Path.of("..", "docs", "api.txt");

    private static final JavaClasses SHIPPED =
            new ClassFileImporter().withImportOption(new ShippedOnly()).importPackages("io.surewrite");

    @Test
    void isWhatTheListSays() throws IOException {
        List<String> types = types(SHIPPED);
        if (Boolean.getBoolean("surewrite.api.write")) {
            Files.write(LIST, types);
        }
        assertThat(types)
                .as("public types of the API; if the change is meant, write the list anew, see PublicApiTests")
                .containsExactlyElementsOf(Files.readAllLines(LIST));
    }

    @Test
    void seesATypeThatTheListDoesNotName() {
        assertThat(types(new ClassFileImporter().importClasses(PublicApiTests.class, HouseRules.class)))
                .isEmpty();
        assertThat(types(SHIPPED))
                .contains("io.surewrite.lease.Lease")
                .doesNotContain("io.surewrite.lease.LeaseLocksFactory");
    }

    private static List<String> types(JavaClasses classes) {
        return classes.stream()
                .filter(type -> HouseRules.API.contains(type.getPackageName()))
                .filter(HouseRules::isApi)
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .map(type -> type.getName().replace('$', '.'))
                .sorted()
                .toList();
    }
}
