package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.schema.ColumnMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.metadata.schema.events.KeyspaceChangeEvent;
import com.datastax.oss.driver.internal.core.metadata.schema.events.TableChangeEvent;
import io.surewrite.internal.compat.TransactionalTables;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.cql.TableLookup;
import io.surewrite.internal.lwt.ConditionalProfile.ConditionalLevel;
import io.surewrite.internal.rows.RowTable;
import io.surewrite.internal.rows.TableColumn;
import io.surewrite.internal.rows.TableColumn.Role;
import io.surewrite.write.Internal;
import io.surewrite.write.InvalidConfigurationException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * The tables that sure writes rely on, and what endangers them: too few replicas, a keyspace without a commit log, and what
 * a change of the schema takes away from the checks at the start. It says so in the log, at the start and when the schema
 * changes, and to callers who ask. It looks at the driver's schema metadata alone.
 */
@Internal
public final class TablesInUse implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(TablesInUse.class);

    /** For so long nodes keep writes for one that is away, by default. */
    private static final Duration HINT_WINDOW = Duration.ofHours(3);

    private static final String UNKNOWN =
            "the server does not say which tables have a transactional_mode (DESCRIBE SCHEMA); the log says why. Fix that, and start again";

    private final Predicate<CqlSession> embedded;
    private final List<Use> uses = new CopyOnWriteArrayList<>();
    private final Set<CqlSession> watched = new LinkedHashSet<>();
    private Set<Finding> told = Set.of();
    private volatile boolean started;

    /** An embedded server needs no replicas. */
    public TablesInUse(Predicate<CqlSession> embedded) {
        this.embedded = embedded;
    }

    /** Something that endangers sure writes, and its fix. */
    public record Finding(String subject, String problem) {}

    /** A table as it was when a feature began to rely on it; the driver may not know yet of one that Surewrite has just made. */
    private record Use(
            CqlSession session,
            CqlIdentifier keyspace,
            CqlIdentifier table,
            @Nullable TableMetadata before,
            String user,
            Function<TableMetadata, List<String>> check) {}

    /** Adds a table, unless Accord writes it. The check is asked again after each change of the schema. */
    public void add(CqlSession session, TableMetadata table, String user, Function<TableMetadata, List<String>> check) {
        TransactionalTables transactional = TransactionalTables.of(session.getContext());
        if (!started
                && !transactional.await()) { // later it may be a thread of the driver, and the write itself is refused
            throw refused(user, UNKNOWN);
        }
        String problem = transactional.problem(table.getKeyspace(), table.getName());
        if (problem != null) {
            throw refused(user, problem);
        }
        use(new Use(session, table.getKeyspace(), table.getName(), table, user, check));
    }

    /** The refusal of a table that Accord writes, or may write. */
    public static InvalidConfigurationException refused(String user, String problem) {
        return new InvalidConfigurationException(
                user, "%s: refused: %s".formatted(user, problem), "Do what the message says.", "compatibility");
    }

    void addOwn(CqlSession session, CqlIdentifier keyspace, CqlIdentifier table) {
        use(new Use(session, keyspace, table, null, "Surewrite", now -> List.of()));
    }

    private void use(Use use) {
        uses.add(use);
        watch(use.session());
        look();
    }

    @Override
    public void afterSingletonsInstantiated() {
        listen();
        look();
    }

    private synchronized void listen() {
        started = true;
        watched.forEach(this::listen);
    }

    private synchronized void watch(CqlSession some) {
        if (watched.add(some) && started) {
            listen(some);
        }
    }

    private void listen(CqlSession some) {
        if (some.getContext() instanceof InternalDriverContext context) {
            context.getEventBus().register(TableChangeEvent.class, changed -> changed());
            context.getEventBus().register(KeyspaceChangeEvent.class, changed -> changed());
            TransactionalTables.of(context).onChange(this::changed);
        }
    }

    /** On a thread of the driver, which must see no failure. */
    private void changed() {
        try {
            look();
        } catch (RuntimeException failure) {
            log.warn("Could not check the tables in use after a change of the schema", failure);
        }
    }

    /** Says what is new, or gone, since the last look. */
    private synchronized void look() {
        if (!started) {
            return;
        }
        Set<Finding> now = new LinkedHashSet<>(findings());
        Set<Finding> fresh = new LinkedHashSet<>(now);
        fresh.removeAll(told);
        Set<Finding> gone = new LinkedHashSet<>(told);
        gone.removeAll(now);
        told = now;
        if (!fresh.isEmpty()) {
            log.warn("Sure writes are endangered:\n - {}", String.join("\n - ", texts(fresh)));
        }
        texts(gone).forEach(text -> log.info("No more: {}", text));
    }

    private static List<String> texts(Set<Finding> findings) {
        return findings.stream()
                .map(finding -> "%s %s".formatted(finding.subject(), finding.problem()))
                .toList();
    }

    public List<Finding> findings() {
        Set<Finding> findings = new LinkedHashSet<>();
        for (Use use : uses) {
            addKeyspace(use.session(), use.keyspace(), findings);
            addTable(use, findings);
        }
        return List.copyOf(findings);
    }

    private void addKeyspace(CqlSession some, CqlIdentifier name, Set<Finding> findings) {
        KeyspaceMetadata keyspace = some.getMetadata().getKeyspace(name).orElse(null);
        if (keyspace == null || embedded.test(some)) {
            return;
        }
        String subject = "keyspace " + name.asCql(true);
        String datacenter = ConditionalLevel.of(some).datacenter();
        int replicas = new Replication(keyspace.getReplication()).replicasIn(datacenter);
        if (replicas == 1 && some.getMetadata().getNodes().size() > 1) { // one node keeps no more
            findings.add(new Finding(
                    subject,
                    "keeps one replica: a write is lost with its node, and cannot be made or read while that is away."
                            + " Fix: keep three replicas, and repair"));
        } else if (replicas == 2) {
            findings.add(new Finding(
                    subject,
                    "keeps two replicas: a majority is both of them, so that nothing can be written or read at a quorum"
                            + " while one is away. Fix: keep three replicas, and repair"));
        }
        if (!keyspace.isDurableWrites()) {
            findings.add(new Finding(
                    subject,
                    "has durable_writes = false: acknowledged writes are in memory only and lost when the nodes restart."
                            + " Fix: ALTER KEYSPACE %s WITH durable_writes = true".formatted(name.asCql(true))));
        }
    }

    private static void addTable(Use use, Set<Finding> findings) {
        TableMetadata before = use.before();
        TableMetadata now = TableLookup.of(use.session())
                .findTable(use.keyspace(), use.table())
                .orElse(null);
        if (now == null) {
            if (before != null) {
                findings.add(problem(before, "does not exist any more, and %s needs it".formatted(use.user())));
            }
            return;
        }
        if ((before == null || RowTable.secondsToLive(before) == 0) && RowTable.secondsToLive(now) > 0) {
            findings.add(problem(
                    now,
                    "has got default_time_to_live = %d since %s began to use it: rows end by themselves, and each repetition of a write lets its row live longer. Fix: ALTER TABLE %s WITH default_time_to_live = 0, or restart the application, which then checks it anew"
                            .formatted(RowTable.secondsToLive(now), use.user(), CqlText.Name.of(now))));
        }
        addMode(use.session(), now, findings);
        for (ColumnMetadata column : now.getColumns().values()) {
            Role role = TableColumn.roleOf(column.getType());
            if (before != null
                    && (role == Role.LIST || role == Role.ELEMENTS)
                    && !before.getColumns().containsKey(column.getName())) {
                findings.add(problem(
                        now,
                        "has got the collection %s since %s began to use it, which was not checked for it. Fix: restart the application, which then checks it anew"
                                .formatted(column.getName().asCql(true), use.user())));
            }
        }
        addGcGrace(now, before, findings);
        for (String reason : use.check().apply(now)) {
            findings.add(problem(now, "is not as %s needs it: %s".formatted(use.user(), reason)));
        }
    }

    private static void addMode(CqlSession session, TableMetadata table, Set<Finding> findings) {
        String problem = TransactionalTables.of(session.getContext()).problem(table.getKeyspace(), table.getName());
        if (problem != null) {
            findings.add(problem(table, "is written by Accord, and sure writes to it are refused: " + problem));
        }
    }

    private static void addGcGrace(TableMetadata now, @Nullable TableMetadata before, Set<Finding> findings) {
        Duration grace = TableLookup.gcGrace(now);
        Duration earlier = before == null ? null : TableLookup.gcGrace(before);
        if (grace == null) {
            return;
        }
        if (grace.compareTo(HINT_WINDOW) < 0) {
            findings.add(problem(
                    now,
                    "has gc_grace_seconds = %d, less than the three hours for which nodes keep hints: a write that comes so late can bring deleted data back. Fix: ALTER TABLE %s WITH gc_grace_seconds = 864000"
                            .formatted(grace.toSeconds(), CqlText.Name.of(now))));
        } else if (earlier != null && grace.compareTo(earlier) < 0) {
            findings.add(problem(
                    now,
                    "has gc_grace_seconds lowered from %d to %d: repair each node within that time, or deleted data can come back"
                            .formatted(earlier.toSeconds(), grace.toSeconds())));
        }
    }

    private static Finding problem(TableMetadata table, String problem) {
        return new Finding("table " + CqlText.Name.of(table), problem);
    }
}
