package io.surewrite.autoconfigure;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.surewrite.architecture.ShippedOnly;
import io.surewrite.testsupport.LongLane;
import org.junit.jupiter.api.Test;

/** An application with Actuator need not have Micrometer's meters. */
@LongLane
class HealthWithoutMetersTests {

    private static final JavaClasses SHIPPED =
            new ClassFileImporter().withImportOption(new ShippedOnly()).importPackages("io.surewrite.autoconfigure");

    @Test
    void healthAndEndpointsNeedNoMeters() {
        without("HealthIndicator").check(SHIPPED);
        without("Endpoint").check(SHIPPED);
    }

    /** A rule that finds nothing would hold, too. */
    @Test
    void whatNeedsMetersIsNoticed() {
        assertThat(without("Metrics").evaluate(SHIPPED).hasViolation()).isTrue();
    }

    private static ArchRule without(String kind) {
        return noClasses()
                .that()
                .haveSimpleNameEndingWith(kind)
                .should()
                .transitivelyDependOnClassesThat(DescribedPredicate.describe(
                        "are Micrometer's meters",
                        (JavaClass it) -> it.getName().startsWith("io.micrometer.core.")));
    }
}
