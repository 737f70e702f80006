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
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessResourceFailureException;

@ExtendWith(OutputCaptureExtension.class)
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
        assertThat(count("unknown")).isEqualTo(1);
        assertThat(count("exhausted")).isEqualTo(1);
    }

    @Test
    void showsTheStateOfTheCircuit() {
        WriteListener listener = new SurewriteMeters(meters);
        listener.circuitMade("application");
        listener.circuitMade("other");
        assertThat(circuit("CLOSED")).isEqualTo(1);
        assertThat(circuit("OPEN")).isZero();
        listener.circuitChanged("OPEN");
        assertThat(circuit("CLOSED")).isZero();
        assertThat(circuit("OPEN")).isEqualTo(1);
        listener.circuitChanged("other", "HALF_OPEN");
        assertThat(circuit("OPEN")).isEqualTo(1);
        assertThat(meters.get("surewrite.circuit")
                        .tags("circuit", "other", "state", "HALF_OPEN")
                        .gauge()
                        .value())
                .isEqualTo(1);
    }

    @Test
    void observesAWriteWithItsFailedAttempts() {
        Call call = new SurewriteObservations(observations).started("People.save");
        WriteScope.Opened scope = call.attemptStarted();
        assertThat(observations.getCurrentObservation()).isNotNull();
        scope.close();
        assertThat(observations.getCurrentObservation()).isNull();
        call.attemptFailed(1, FailureKind.UNKNOWN, secret);
        assertThat(call.reactorContext().keySet().toString()).isEqualTo("[micrometer.observation]");
        call.ended(End.SUCCEEDED, 2);
        TestObservationRegistryAssert.assertThat(observations)
                .hasSingleObservationThat()
                .hasBeenStarted()
                .hasBeenStopped()
                .hasNameEqualTo("surewrite.write")
                .hasContextualNameEqualTo("People.save")
                .hasLowCardinalityKeyValue("operation", "People.save")
                .hasLowCardinalityKeyValue("end", "SUCCEEDED")
                .hasHighCardinalityKeyValue("attempts", "2");
    }

    @Test
    void logsOperationAndAttemptButNoValues(CapturedOutput output) {
        WriteListener listener = new LoggingListener();
        Call call = listener.started("People.save");
        call.attemptFailed(1, FailureKind.UNKNOWN, secret);
        call.ended(End.UNKNOWN, 3);
        listener.started("People.rename").ended(End.SUCCEEDED, 2);
        listener.circuitChanged("OPEN");
        assertThat(output)
                .contains("People.save: attempt 1 failed with IllegalStateException, outcome UNKNOWN")
                .contains("People.save: given up after 3 attempt(s), outcome UNKNOWN")
                .contains("People.rename: SUCCEEDED after 2 attempts")
                .contains("The circuit breaker of Cassandra writes is OPEN")
                .doesNotContain("secret");
    }

    @Test
    void logsNothingOfWhatGoesWell(CapturedOutput output) {
        Call call = new LoggingListener().started("People.save");
        call.ended(End.SUCCEEDED, 1);
        Call foreign = new LoggingListener().started("People.save");
        foreign.attemptFailed(1, FailureKind.OTHER, secret);
        foreign.ended(End.FAILED, 1);
        assertThat(output).doesNotContain("People.save");
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
        all.circuitChanged("HALF_OPEN");
        assertThat(count("settled")).isEqualTo(1);
        assertThat(circuit("HALF_OPEN")).isEqualTo(1);
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
