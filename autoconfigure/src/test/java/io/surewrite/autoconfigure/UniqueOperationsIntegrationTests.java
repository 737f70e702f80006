package io.surewrite.autoconfigure;

import static io.surewrite.autoconfigure.UniqueApplication.member;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.autoconfigure.UniqueApplication.Coupon;
import io.surewrite.autoconfigure.UniqueApplication.Coupons;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueConstraints;
import org.junit.jupiter.api.Test;

/** What an operator sees of unique values, and can start. */
@LongLane
class UniqueOperationsIntegrationTests extends UniqueApplicationTest {

    @Test
    void isCountedAndShown() {
        members.insert(member("counted", "counted@example.org"));
        MeterRegistry registry = application.getBean(MeterRegistry.class);
        assertThat(registry.get("surewrite.unique")
                        .tags("operation", "insert", "outcome", "succeeded")
                        .timer()
                        .count())
                .isPositive();
        assertThat(application.getBean(UniqueConstraintsEndpoint.class).constraints())
                .filteredOn(shown -> shown.name().equals("member-login"))
                .singleElement()
                .satisfies(shown ->
                        assertThat(shown.repositories()).containsExactlyInAnyOrder("Members", "IdempotentMembers"));
    }

    @Test
    void claimsExistingRowsAtTheStart() {
        Coupons coupons = application.getBean(Coupons.class);
        assertThatExceptionOfType(DuplicateValueException.class)
                .isThrownBy(() -> coupons.insert(new Coupon("OLD", 50)));
        assertThat(application.getBean(UniqueConstraints.class).lastRepair("coupon.code"))
                .hasValueSatisfying(report -> assertThat(report.isValid()).isTrue());
    }

    @Test
    void showsTheLastRepairByTheEndpoint() {
        UniqueConstraintsEndpoint endpoint = application.getBean(UniqueConstraintsEndpoint.class);
        assertThat(endpoint.constraint("coupon.code").lastRepair().claimed()).isPositive();
        assertThat(endpoint.constraint("nobody")).isNull();
    }
}
