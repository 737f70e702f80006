package io.surewrite.write;

import static com.datastax.oss.driver.api.core.ConsistencyLevel.QUORUM;
import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.retry.RetryDecision;
import com.datastax.oss.driver.api.core.retry.RetryVerdict;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.WriteType;
import java.util.List;
import org.junit.jupiter.api.Test;

class NeverRetryPolicyTests {

    @Test
    void handsEveryFailureToTheCallerTheFirstTime() {
        SimpleStatement write = SimpleStatement.newInstance("UPDATE ...").setIdempotent(true);
        try (NeverRetryPolicy policy = new NeverRetryPolicy(null, "any")) {
            assertThat(List.of(
                            policy.onReadTimeoutVerdict(write, QUORUM, 2, 2, false, 0),
                            policy.onWriteTimeoutVerdict(write, QUORUM, WriteType.CAS, 2, 1, 0),
                            policy.onUnavailableVerdict(write, QUORUM, 2, 1, 0),
                            policy.onRequestAbortedVerdict(write, new ClosedConnectionException("gone"), 0),
                            policy.onErrorResponseVerdict(write, new OverloadedException(null), 0)))
                    .extracting(RetryVerdict::getRetryDecision)
                    .containsOnly(RetryDecision.RETHROW);
        }
    }
}
