package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.retry.RetryDecision;
import com.datastax.oss.driver.api.core.retry.RetryPolicy;
import com.datastax.oss.driver.api.core.retry.RetryVerdict;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.InvalidConfigurationException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds retry policies that report a write as done which too few replicas have, or read from fewer than were asked for. No class
 * says that of itself, so each is asked what it would do about some failures of a quorum's write and read.
 */
public final class WeakPolicies {

    private static final int MOST_RETRIES = 3;

    private static final int REPLICAS = 2;

    private static final List<SimpleStatement> SAMPLES = Stream.of(
                    "INSERT INTO sample (id) VALUES (1)", "SELECT id FROM sample WHERE id = 1")
            .map(cql -> SimpleStatement.newInstance(cql).setIdempotent(true))
            .flatMap(sample -> Stream.of(ConsistencyLevel.LOCAL_QUORUM, ConsistencyLevel.QUORUM)
                    .map(sample::setConsistencyLevel))
            .toList();

    private WeakPolicies() {}

    /** {@return what the policy of a profile does wrong, with the fix, by the name of the profile} */
    public static Map<String, String> of(CqlSession session) {
        Node node =
                session.getMetadata().getNodes().values().stream().findFirst().orElse(null);
        Map<String, String> found = new TreeMap<>();
        session.getContext().getRetryPolicies().forEach((profile, policy) -> {
            String wrong = wrong(policy, node);
            if (wrong != null) {
                found.put(
                        profile,
                        "The retry policy %s of the driver's profile '%s' %s. Fix: set advanced.retry-policy.class = DefaultRetryPolicy there, and send statements that may get lost at LOCAL_ONE"
                                .formatted(policy.getClass().getName(), profile, wrong));
            }
        });
        return found;
    }

    /** The refusal of a feature by what is found first: a statement may name each profile, so none may have such a policy. */
    public static @Nullable InvalidConfigurationException refusal(String feature, String name, CqlSession session) {
        return of(session).values().stream()
                .findFirst()
                .map(problem -> refusal(feature, name, problem))
                .orElse(null);
    }

    public static void require(String feature, String name, CqlSession session) {
        InvalidConfigurationException refusal = refusal(feature, name, session);
        if (refusal != null) {
            throw refusal;
        }
    }

    /** For what sends conditional writes alone: they have a policy of their own, unless the session lacks their profile. */
    public static void requireConditional(String feature, String name, CqlSession session) {
        boolean own = session.getContext().getConfig().getProfiles().containsKey(ConditionalWrites.PROFILE);
        String problem = of(session).get(own ? ConditionalWrites.PROFILE : DriverExecutionProfile.DEFAULT_NAME);
        if (problem != null) {
            throw refusal(feature, name, problem);
        }
    }

    private static InvalidConfigurationException refusal(String feature, String name, String problem) {
        return new InvalidConfigurationException(
                feature,
                "%s cannot be sure on the session '%s'. %s.".formatted(feature, name, problem),
                "Change the policy, or do without the feature.",
                "session");
    }

    private static @Nullable String wrong(RetryPolicy policy, @Nullable Node node) {
        return SAMPLES.stream()
                .flatMap(sent -> verdicts(policy, sent, node).map(verdict -> wrong(sent, verdict)))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse(null);
    }

    private static String wrong(SimpleStatement sent, Supplier<RetryVerdict> asked) {
        try {
            RetryVerdict verdict = asked.get();
            if (verdict.getRetryDecision() == RetryDecision.IGNORE) {
                return "reports statements as done that have failed";
            }
            ConsistencyLevel again = verdict.getRetryRequest(sent).getConsistencyLevel();
            return again == sent.getConsistencyLevel()
                    ? ""
                    : "repeats statements at a weaker level, %s in place of %s"
                            .formatted(again, sent.getConsistencyLevel());
        } catch (RuntimeException unanswered) {
            return ""; // a sample that the policy does not understand
        }
    }

    private static Stream<Supplier<RetryVerdict>> verdicts(
            RetryPolicy policy, SimpleStatement sent, @Nullable Node node) {
        ConsistencyLevel level = sent.getConsistencyLevel();
        Stream.Builder<Supplier<RetryVerdict>> all = Stream.builder();
        for (int retries = 0; retries <= MOST_RETRIES; retries++) {
            int count = retries;
            all.add(() -> policy.onRequestAbortedVerdict(sent, new ClosedConnectionException("sample"), count));
            for (int answered = 0; answered <= REPLICAS; answered++) {
                int there = answered;
                all.add(() -> policy.onReadTimeoutVerdict(sent, level, REPLICAS, there, false, count));
                all.add(() -> policy.onUnavailableVerdict(sent, level, REPLICAS, there, count));
                for (DefaultWriteType type : DefaultWriteType.values()) {
                    all.add(() -> policy.onWriteTimeoutVerdict(sent, level, type, REPLICAS, there, count));
                }
            }
            if (node != null) {
                for (CoordinatorException error : List.of(
                        new OverloadedException(node),
                        new ServerError(node, "sample"),
                        new WriteFailureException(node, level, 1, REPLICAS, DefaultWriteType.SIMPLE, 1, Map.of()))) {
                    all.add(() -> policy.onErrorResponseVerdict(sent, error, count));
                }
            }
        }
        return all.build();
    }
}
