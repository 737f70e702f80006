package io.surewrite.journal;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.internal.lwt.SettlingConditionalWrites;
import io.surewrite.journal.JournalSettings.BucketLength;
import io.surewrite.write.ConditionalWrites;
import java.time.Clock;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.cassandra.core.cql.CqlTemplate;

/** Journals on the tables of the tests' keyspace, with a clock, a width and faults of the test's own. */
final class JournalOn {

    private final CqlSession session;
    private CqlOperations operations;
    private ConditionalWrites writes;
    private Duration timeToLive = Duration.ZERO;
    private long widest = JournalSettings.WIDEST_PARTITION;
    private Clock clock = Clock.systemUTC();

    private JournalOn(CqlSession session) {
        this.session = session;
        this.operations = new CqlTemplate(session);
        this.writes = SettlingConditionalWrites.on(session, ObservationRegistry.NOOP);
    }

    static JournalOn session(CqlSession session) {
        return new JournalOn(session);
    }

    JournalOn operations(CqlOperations operations) {
        this.operations = operations;
        return this;
    }

    JournalOn writes(UnaryOperator<ConditionalWrites> around) {
        this.writes = around.apply(writes);
        return this;
    }

    JournalOn timeToLive(Duration timeToLive) {
        this.timeToLive = timeToLive;
        return this;
    }

    JournalOn widest(long widest) {
        this.widest = widest;
        return this;
    }

    JournalOn clock(Clock clock) {
        this.clock = clock;
        return this;
    }

    AttributeJournal create() {
        JournalSettings settings = new JournalSettings(BucketLength.MONTH, ConsistencyLevel.QUORUM, timeToLive);
        JournalStore store = new JournalStore(
                session, operations, writes, "surewrite_journal", "surewrite_journal_state", settings, clock);
        return new CassandraAttributeJournal(store, settings, widest, clock);
    }
}
