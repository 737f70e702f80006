package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.WriteFailures;
import io.surewrite.cql.session.DriverFailures;
import io.surewrite.schema.tables.TablesInUse;
import io.surewrite.schema.tables.TablesInUse.Finding;
import io.surewrite.session.SureSession;
import io.surewrite.session.SureSessionException;
import io.surewrite.unique.InvalidConstraintException;
import io.surewrite.unique.catalog.AnnouncedConstraints;
import io.surewrite.unique.catalog.AnnouncedConstraints.Heard;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.cassandra.core.mapping.CassandraPersistentEntity;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Tells other processes which unique constraints this one has on the tables that its repositories write, and hears of those
 * that others have: a process without a constraint writes past the guard of the others.
 */
final class ConstraintWatch implements SmartInitializingSingleton, SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(ConstraintWatch.class);

    /** Others go on believing it while one look, or two, are late. */
    private static final int LOOKS_THAT_MAY_FAIL = 3;

    private final SessionSets sessions;
    private final TablesInUse inUse;
    private final UniqueProperties properties;
    private final String process = ManagementFactory.getRuntimeMXBean().getName() + "/"
            + UUID.randomUUID().toString().substring(0, 8);
    private final List<Written> written = new CopyOnWriteArrayList<>();
    private final Map<SessionSets.Shared, AnnouncedConstraints> announced = new HashMap<>();
    private final Map<String, List<Finding>> findings = new LinkedHashMap<>();
    private boolean said;
    private final AtomicReference<@Nullable ThreadPoolTaskScheduler> thread = new AtomicReference<>();
    private volatile boolean running;

    /** What a repository writes, on the session of its template. */
    private record Written(SureSession own, Class<?> entity) {}

    ConstraintWatch(SessionSets sessions, TablesInUse inUse, UniqueProperties properties) {
        this.sessions = sessions;
        this.inUse = inUse;
        this.properties = properties;
        inUse.addSource(this::findings);
    }

    void add(SureSession own, Class<?> entity) {
        written.add(new Written(own, entity));
        if (running) {
            begin();
        }
    }

    private synchronized List<Finding> findings() {
        return findings.values().stream().flatMap(List::stream).toList();
    }

    /** Only a process that is not to start at all waits for the answer. */
    @Override
    public void afterSingletonsInstantiated() {
        if (properties.strict() && isOn()) {
            look();
            List<Finding> found = findings();
            if (!found.isEmpty()) {
                throw new InvalidConstraintException(
                        found.stream()
                                .map(finding -> "The %s %s.".formatted(finding.subject(), finding.problem()))
                                .collect(Collectors.joining("\n")),
                        "Allow it by surewrite.unique.strict=false, or do what is said above.");
            }
        }
    }

    private boolean isOn() {
        return !properties.announceEvery().isZero();
    }

    @Override
    public void start() {
        running = true;
        if (!written.isEmpty()) {
            begin();
        }
    }

    private synchronized void begin() {
        if (running && thread.get() == null && isOn()) {
            ThreadPoolTaskScheduler looking = new ThreadPoolTaskScheduler();
            looking.setThreadNamePrefix("surewrite-constraints-");
            looking.setDaemon(true);
            looking.initialize();
            var unused = looking.scheduleWithFixedDelay(this::look, Instant.now(), properties.announceEvery());
            thread.set(looking);
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public synchronized void stop() {
        running = false;
        ThreadPoolTaskScheduler looking = thread.getAndSet(null);
        if (looking != null) {
            looking.shutdown();
        }
    }

    private void look() {
        Map<String, SessionSets.Shared> tables = new LinkedHashMap<>();
        for (Written each : written) {
            try {
                String table = table(each);
                if (table != null) {
                    tables.put(table, sessions.shared(each.own().session()));
                }
            } catch (SureSessionException changing) {
                log.debug("The table of {} is not in one session", each.entity(), changing);
            }
        }
        tables.forEach(this::look);
        inUse.look();
    }

    private static @Nullable String table(Written written) {
        CassandraPersistentEntity<?> entity =
                written.own().converter().getMappingContext().getPersistentEntity(written.entity());
        CqlSession session = written.own().session();
        CqlIdentifier its = entity == null ? null : entity.getKeyspace();
        CqlIdentifier keyspace = its == null ? session.getKeyspace().orElse(null) : its;
        return entity == null || keyspace == null
                ? null
                : keyspace.asCql(true) + "." + entity.getTableName().asCql(true);
    }

    private void look(String table, SessionSets.Shared on) {
        Set<String> mine = Set.of();
        try {
            mine = on.catalog().entries().stream()
                    .filter(entry -> entry.table().equals(table))
                    .map(entry -> entry.constraint().name())
                    .collect(Collectors.toSet());
            if (mine.isEmpty() && !on.schema().exists("claim")) {
                return;
            }
            AnnouncedConstraints others = announced.computeIfAbsent(on, this::announcedOn);
            found(table, others, others.exchange(table, mine, running));
            if (said) {
                said = false;
                log.info("It is known again which unique constraints other processes have");
            }
        } catch (RuntimeException failure) {
            // Who has no unique values hears of the outage from what he writes.
            boolean isNews = running
                    && !said
                    && !(mine.isEmpty() && WriteFailures.ofPlain(failure).isRetryable());
            if (isNews) {
                said = true;
                log.warn(
                        "It could not be looked which unique constraints other processes have on {}; it is tried again every {}: {}",
                        table,
                        properties.announceEvery(),
                        String.valueOf(DriverFailures.unwrapped(failure)));
            }
            log.debug("It is not known which unique constraints other processes have on {}", table, failure);
        }
    }

    private AnnouncedConstraints announcedOn(SessionSets.Shared on) {
        Duration stays = properties.announceEvery().multipliedBy(LOOKS_THAT_MAY_FAIL);
        return new AnnouncedConstraints(
                on.session(),
                on.writes("claim"),
                on.schema().table("claim"),
                properties.attemptTimeout(),
                stays,
                process);
    }

    private synchronized void found(String table, AnnouncedConstraints others, Heard heard) {
        List<Finding> found = new ArrayList<>();
        if (!heard.missing().isEmpty()) {
            found.add(new Finding(
                    "table " + table,
                    "has the unique constraints %s in other processes, and this one writes it without them: values can be there twice, and rows get no claim. Fix: run the release that has them in all processes, and then build them again. If no process has them any more, run %s Those that are left say so again. If the repository writes none of their columns and deletes no row, put @TrustedWrite on it"
                            .formatted(String.join(", ", heard.missing()), others.forgetting(table)),
                    false));
        }
        heard.unguarded()
                .filter(other -> heard.missing().isEmpty())
                .ifPresent(other -> found.add(new Finding(
                        "table " + table,
                        "is written past its unique constraints by the process %s: values can be there twice, and rows get no claim. Fix: end that process, and then build the constraints again"
                                .formatted(other),
                        false)));
        findings.put(table, found);
    }
}
