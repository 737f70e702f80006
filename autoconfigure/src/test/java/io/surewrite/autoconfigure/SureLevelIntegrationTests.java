package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.tracker.RequestTracker;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.overwrite.Overwriting;
import io.surewrite.overwrite.ReactiveRowOverwrites;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.retry.Idempotent;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnRepositories;
import io.surewrite.unique.UniqueBy;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.CqlSessionBuilderCustomizer;
import org.springframework.boot.data.cassandra.autoconfigure.DataCassandraReactiveAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Consistency;
import org.springframework.data.cassandra.repository.ReactiveCassandraRepository;
import reactor.core.publisher.Mono;

/** An application that sets no level, or one, or wants the driver's. */
@ExtendWith(OutputCaptureExtension.class)
public class SureLevelIntegrationTests extends CassandraTest {

    private static final String WEAK = "Levels that allow it: ";

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE sure_note (id uuid PRIMARY KEY, text text, more text)");
        session.execute("CREATE TABLE plain_note (id uuid PRIMARY KEY, text text)");
        session.execute("CREATE TABLE guarded_note (id uuid PRIMARY KEY, text text)");
    }

    @Table("sure_note")
    public record SureNote(@Id UUID id, String text, String more) {}

    @Table("plain_note")
    public record PlainNote(@Id UUID id, String text) {}

    @Table("guarded_note")
    public record GuardedNote(@Id UUID id, String text) {}

    public interface SureNotes extends CassandraRepository<SureNote, UUID> {

        @Override
        @Idempotent
        <S extends SureNote> S save(S note);

        @Consistency(DefaultConsistencyLevel.LOCAL_ONE)
        List<SureNote> findByIdIn(List<UUID> ids);
    }

    public interface ReactiveSureNotes extends ReactiveCassandraRepository<SureNote, UUID> {

        @Override
        @Idempotent
        <S extends SureNote> Mono<S> save(S note);
    }

    @Overwriting
    public interface OverwrittenNotes extends CassandraRepository<SureNote, UUID> {}

    @Idempotent
    @UniqueBy("text")
    public interface GuardedNotes extends CassandraRepository<GuardedNote, UUID>, OverwriteRepository<GuardedNote> {}

    public interface PlainNotes extends CassandraRepository<PlainNote, UUID> {}

    @OwnRepositories
    static class Application {

        @Bean
        Levels levels() {
            return new Levels();
        }

        @Bean
        CqlSessionBuilderCustomizer watched(Levels levels) {
            return builder -> builder.addRequestTracker(levels);
        }
    }

    /**
     * The levels of the statements that were sent, or "default" where a statement and its profile left it to the
     * configuration.
     */
    static final class Levels implements RequestTracker {

        private final Queue<String> seen = new ConcurrentLinkedQueue<>();

        @Override
        public void onSuccess(Request request, long nanos, DriverExecutionProfile profile, Node node, String prefix) {
            if (request instanceof Statement<?> statement && isOfNotes(text(request))) {
                ConsistencyLevel level = statement.getConsistencyLevel();
                seen.add(level == null ? levelOf(profile) : level.toString());
            }
        }

        /** What processes tell each other in the table of claims is sent whenever it is due, and is no claim. */
        private static boolean isOfNotes(String text) {
            return text.contains("note") || (text.contains("surewrite_claim") && !text.contains("'surewrite:"));
        }

        private static String levelOf(DriverExecutionProfile profile) {
            return profile.getName().equals(DriverExecutionProfile.DEFAULT_NAME)
                    ? "default"
                    : profile.getString(DefaultDriverOption.REQUEST_CONSISTENCY);
        }

        private static String text(Request request) {
            if (request instanceof BatchStatement batch) {
                return text(batch.iterator().next());
            }
            return request instanceof BoundStatement bound
                    ? bound.getPreparedStatement().getQuery()
                    : ((SimpleStatement) request).getQuery();
        }

        /** {@return the levels of what an action sends, each once} */
        String of(Runnable action) {
            return of(1, action);
        }

        String of(int statements, Runnable action) {
            seen.clear();
            action.run();
            Awaitility.await().until(() -> seen.size() >= statements); // trackers hear of it later
            return String.join(" ", seen.stream().distinct().toList());
        }

        @Override
        public void close() {}
    }

    private static ApplicationContextRunner runner() {
        return application()
                .withConfiguration(AutoConfigurations.of(DataCassandraReactiveAutoConfiguration.class))
                .withUserConfiguration(Application.class);
    }

    private static void check(ApplicationContext context, String sure, String withTheReads) {
        Levels levels = context.getBean(Levels.class);
        SureNotes notes = context.getBean(SureNotes.class);
        ReactiveSureNotes reactive = context.getBean(ReactiveSureNotes.class);
        PlainNotes plain = context.getBean(PlainNotes.class);
        UUID id = UUID.randomUUID();
        SureNote note = new SureNote(id, "a", null);
        assertThat(levels.of(() -> notes.save(note))).as("annotated").isEqualTo(sure);
        assertThat(levels.of(() -> notes.findById(id))).as("read").isEqualTo(withTheReads);
        assertThat(levels.of(() -> notes.findByIdIn(List.of(id))))
                .as("read that chooses")
                .isEqualTo("LOCAL_ONE");
        assertThat(levels.of(() -> notes.delete(note))).as("not annotated").isEqualTo("default");
        assertThat(levels.of(() -> reactive.save(note).block()))
                .as("reactive, annotated")
                .isEqualTo(sure);
        assertThat(levels.of(() -> reactive.findById(id).block()))
                .as("reactive read")
                .isEqualTo(withTheReads);
        assertThat(levels.of(() -> reactive.delete(note).block())).isEqualTo("default");
        assertThat(levels.of(() -> context.getBean(RowOverwrites.class).overwrite(note)))
                .as("overwrite")
                .isEqualTo(sure);
        assertThat(levels.of(() -> context.getBean(ReactiveRowOverwrites.class)
                        .overwrite(note)
                        .block()))
                .as("reactive overwrite")
                .isEqualTo(sure);
        OverwrittenNotes overwritten = context.getBean(OverwrittenNotes.class);
        assertThat(levels.of(() -> overwritten.save(note))).isEqualTo(sure);
        assertThat(levels.of(() -> overwritten.findById(id))).isEqualTo(withTheReads);
        GuardedNotes guarded = context.getBean(GuardedNotes.class);
        String text = "text of " + id;
        assertThat(levels.of(2, () -> guarded.insert(new GuardedNote(id, text))))
                .as("claims, and the rows that they guard")
                .isEqualTo("QUORUM");
        assertThat(levels.of(3, () -> guarded.save(new GuardedNote(id, text + "!"))))
                .isEqualTo("QUORUM");
        assertThat(levels.of(() -> guarded.findById(id))).isEqualTo(withTheReads);
        assertThat(levels.of(3, () -> guarded.deleteById(id))).isEqualTo("QUORUM");
        assertThat(levels.of(() -> plain.save(new PlainNote(id, "a")))).isEqualTo("default");
        assertThat(levels.of(() -> plain.findById(id))).isEqualTo("default");
    }

    @Test
    void writesAndReadsAtAMajorityWhereItSetsNone(CapturedOutput output) {
        runner().run(context -> {
            check(context, "LOCAL_QUORUM", "LOCAL_QUORUM");
            assertThat(output).doesNotContain(WEAK);
        });
    }

    /** The very level that the driver has by default. */
    @Test
    void leavesTheLevelThatItSets(CapturedOutput output) {
        runner().withPropertyValues("spring.cassandra.request.consistency=local-one")
                .run(context -> {
                    check(context, "default", "default");
                    assertThat(output).contains(WEAK + "LOCAL_ONE (basic.request.consistency, of ");
                });
    }
}
