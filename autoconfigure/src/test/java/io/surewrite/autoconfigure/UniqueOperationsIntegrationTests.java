package io.surewrite.autoconfigure;

import static io.surewrite.autoconfigure.UniqueApplication.member;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.MeterRegistry;
import io.surewrite.autoconfigure.UniqueApplication.Coupon;
import io.surewrite.autoconfigure.UniqueApplication.Coupons;
import io.surewrite.autoconfigure.UniqueConstraintsEndpoint.Action;
import io.surewrite.testsupport.LongLane;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueReport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

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
    void auditsAndRepairsByTheEndpoint() {
        session.execute("INSERT INTO pair (id, a, b) VALUES (uuid(), 'was', 'there')");
        UniqueConstraintsEndpoint endpoint = application.getBean(UniqueConstraintsEndpoint.class);
        assertThat(endpoint.constraint("pair.a+b"))
                .satisfies(details -> assertThat(details.job()).isNull());
        assertThat(run(endpoint, Action.AUDIT).missing()).isPositive();
        assertThat(run(endpoint, Action.REPAIR).isValid()).isTrue();
        assertThat(endpoint.constraint("pair.a+b").lastRepair().claimed()).isPositive();
        assertThat(endpoint.constraint("nobody")).isNull();
        assertThatExceptionOfType(InvalidEndpointRequestException.class)
                .isThrownBy(() -> endpoint.start("nobody", Action.AUDIT));
    }

    private static UniqueReport run(UniqueConstraintsEndpoint endpoint, Action action) {
        assertThat(endpoint.start("pair.a+b", action).state()).isEqualTo("running");
        Awaitility.await()
                .untilAsserted(() -> assertThat(endpoint.constraint("pair.a+b").job())
                        .satisfies(job -> {
                            assertThat(job.action()).isEqualTo(action);
                            assertThat(job.state()).isEqualTo("done");
                        }));
        return endpoint.constraint("pair.a+b").job().report();
    }
}
