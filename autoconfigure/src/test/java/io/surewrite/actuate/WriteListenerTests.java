package io.surewrite.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.surewrite.cql.FailureKind;
import io.surewrite.cql.WriteListener;
import io.surewrite.cql.WriteListener.Call;
import io.surewrite.cql.WriteListener.End;
import io.surewrite.cql.WriteScope;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;

class WriteListenerTests {

    private final Exception secret =
            new DataAccessResourceFailureException("secret", new IllegalStateException("secret too"));

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final TestObservationRegistry observations = TestObservationRegistry.create();

    @Test
    void countsAttemptsAndHowWritesEnd() {
        WriteListener listener = new SurewriteMeters(meters);
        Call settled = listener.started("People.save");
        settled.attemptFailed(1, FailureKind.UNKNOWN, secret);
        settled.ended(End.SUCCEEDED, 2);
        Call retried = listener.started("People.save");
        retried.attemptFailed(1, FailureKind.NOT_APPLIED, secret);
        retried.ended(End.SUCCEEDED, 2);
        listener.started("People.save").ended(End.UNKNOWN, 3);
        listener.started("People.save").ended(End.EXHAUSTED, 4);
        listener.started("People.save").ended(End.FAILED, 1);
        listener.started("People.delete").ended(End.SUCCEEDED, 1);
        assertThat(count("attempts")).isEqualTo(12);
        assertThat(count("settled")).isEqualTo(1);
    }

    @Test
    void showsTheStateOfTheCircuit() {
        WriteListener listener = new SurewriteMeters(meters);
        listener.circuitMade("application");
        listener.circuitMade("other");
        assertThat(circuit("closed")).isEqualTo(1);
        assertThat(circuit("open")).isZero();
        listener.circuitChanged("application", "OPEN");
        assertThat(circuit("closed")).isZero();
        assertThat(circuit("open")).isEqualTo(1);
        listener.circuitChanged("other", "HALF_OPEN");
        assertThat(circuit("open")).isEqualTo(1);
        assertThat(meters.get("surewrite.circuit")
                        .tags("circuit", "other", "state", "half-open")
                        .gauge()
                        .value())
                .isEqualTo(1);
    }

    @Test
    void observesAWriteWithItsFailedAttempts() {
        Call call = WriteListener.all(List.of(new SurewriteObservations(observations)))
                .about("shop.person")
                .started("People.save");
        WriteScope.Opened scope = call.attemptStarted();
        assertThat(observations.getCurrentObservation()).isNotNull();
        scope.close();
        assertThat(observations.getCurrentObservation()).isNull();
        call.attemptFailed(1, FailureKind.UNKNOWN, secret);
        assertThat(call.reactorContext().keySet().toString()).isEqualTo("[micrometer.observation]");
        call.ended(End.EXHAUSTED, 2);
        TestObservationRegistryAssert.assertThat(observations)
                .hasSingleObservationThat()
                .hasBeenStarted()
                .hasBeenStopped()
                .hasNameEqualTo("surewrite.write")
                .hasContextualNameEqualTo("People.save")
                .hasLowCardinalityKeyValue("operation", "People.save")
                .hasLowCardinalityKeyValue("outcome", "exhausted")
                .hasHighCardinalityKeyValue("db.system.name", "cassandra")
                .hasHighCardinalityKeyValue("db.namespace", "shop")
                .hasHighCardinalityKeyValue("db.collection.name", "person")
                .hasHighCardinalityKeyValue("error.type", "java.lang.IllegalStateException")
                .hasHighCardinalityKeyValue("attempts", "2");
    }

    @Test
    void tellsEveryListener() {
        WriteListener all =
                WriteListener.all(List.of(new SurewriteObservations(observations), new SurewriteMeters(meters)));
        Call call = all.started("People.save");
        WriteScope.Opened scope = call.attemptStarted();
        assertThat(observations.getCurrentObservation()).isNotNull();
        scope.close();
        assertThat(observations.getCurrentObservation()).isNull();
        call.attemptFailed(1, FailureKind.UNKNOWN, secret);
        assertThat(call.reactorContext()).hasSize(1);
        call.ended(End.SUCCEEDED, 2);
        all.circuitChanged("application", "HALF_OPEN");
        assertThat(count("settled")).isEqualTo(1);
        assertThat(circuit("half-open")).isEqualTo(1);
        TestObservationRegistryAssert.assertThat(observations)
                .hasSingleObservationThat()
                .hasBeenStopped();
    }

    private double count(String name) {
        return meters.get("surewrite.write." + name)
                .tag("operation", "People.save")
                .counter()
                .count();
    }

    private double circuit(String state) {
        return meters.get("surewrite.circuit")
                .tags("circuit", "application", "state", state)
                .gauge()
                .value();
    }
}
