package io.surewrite.internal.compat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.adminrequest.AdminRequestHandler;
import com.datastax.oss.driver.internal.core.adminrequest.AdminResult;
import com.datastax.oss.driver.internal.core.adminrequest.AdminRow;
import com.datastax.oss.driver.internal.core.channel.DriverChannel;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import io.netty.util.concurrent.EventExecutorGroup;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.internal.cql.CqlText.Name;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of a session's server that Accord writes: those with a {@code transactional_mode} other than {@code off}
 * (Cassandra 6), or on their way back from one. Accord replaces the timestamp that a request carries by its own, so a late
 * repetition of an old value wins over a newer one there.
 *
 * <p>Servers before version 6 have none, and are not asked. The mode is in no column of {@code system_schema} (6.0-alpha2),
 * only in what {@code DESCRIBE} says, so the driver publishes no event when it alone changes. But the driver reads the schema
 * again after each change, and has new metadata then: whoever asks here compares that.
 */
public final class TransactionalTables {

    /** What the server is asked. */
    public static final String SCHEMA = "DESCRIBE SCHEMA";

    private static final Logger log = LoggerFactory.getLogger(TransactionalTables.class);

    private static final int FIRST_WITH_TRANSACTIONS = 6;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final Set<String> WITHOUT = Set.of("off", "none");

    /** Few, and read for each statement: a new list for each session, and no lock. */
    private static volatile List<TransactionalTables> ofSessions = List.of();

    private final WeakReference<DriverContext> context;
    private final CompletableFuture<Void> answered = new CompletableFuture<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean said = new AtomicBoolean();
    private volatile Known known = new Known(null, null);

    /**
     * What is known.
     *
     * @param seen the driver's metadata when the server was asked
     * @param modes of the tables that have one; null before the first answer
     */
    private record Known(@Nullable Metadata seen, @Nullable Map<Name, String> modes) {}

    /**
     * Why a write that pins its timestamp must not be sent.
     *
     * @param problem the table and its mode, why that matters, and the fix
     * @param passing whether it may be sent later without a change of the schema: it is not known yet
     */
    public record Refusal(String problem, boolean passing) {}

    private TransactionalTables(DriverContext context) {
        this.context = new WeakReference<>(context);
        modes();
    }

    /** Those of a session's server. Asks for them when it is called first. */
    public static TransactionalTables of(DriverContext session) {
        TransactionalTables found = find(session);
        return found == null ? add(session) : found;
    }

    private static @Nullable TransactionalTables find(DriverContext session) {
        List<TransactionalTables> all = ofSessions;
        for (int i = 0; i < all.size(); i++) { // no iterator: this is asked for each statement
            if (all.get(i).context.refersTo(session)) {
                return all.get(i);
            }
        }
        return null;
    }

    private static synchronized TransactionalTables add(DriverContext session) {
        TransactionalTables found = find(session);
        if (found != null) {
            return found;
        }
        TransactionalTables added = new TransactionalTables(session);
        List<TransactionalTables> all = new ArrayList<>(ofSessions);
        all.removeIf(tables -> tables.context.refersTo(null)); // the session is gone
        all.add(added);
        ofSessions = List.copyOf(all);
        return added;
    }

    /**
     * Whether a write may go out that carries its timestamp beside its text.
     *
     * @param session the context of the session that sends it; null if that is not known, and any may send it
     * @return why not; null if it may
     */
    public static @Nullable Refusal refusal(@Nullable DriverContext session, Request statement) {
        if (session != null) {
            return of(session).refusal(statement);
        }
        return ofSessions.stream()
                .map(each -> each.refusal(statement))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private @Nullable Refusal refusal(Request statement) {
        Map<Name, String> modes = modes();
        if (modes != null && modes.isEmpty()) {
            return null;
        }
        if (modes == null) {
            return new Refusal(
                    "it is not known yet which tables of the server have a transactional_mode, on which the write would lose its timestamp. The server is asked again every second",
                    true);
        }
        return met(statement, modes)
                .findFirst()
                .map(met -> new Refusal(problem(met, modes), false))
                .orElse(null);
    }

    /**
     * What is wrong with a table.
     *
     * @return its mode, why that matters, and the fix; null if Accord does not write it, or that is not known
     */
    public @Nullable String problem(CqlIdentifier keyspace, CqlIdentifier name) {
        Map<Name, String> modes = modes();
        Name table = new Name(keyspace, name);
        return modes == null || !modes.containsKey(table) ? null : problem(table, modes);
    }

    private static String problem(Name table, Map<Name, String> modes) {
        return "table %1$s has %2$s: Accord gives each write a timestamp of its own, so that a late repetition of an old write would win over a newer one. Fix: ALTER TABLE %1$s WITH transactional_mode = 'off', wait until it is migrated (nodetool consensus_admin list), or write to it without @Idempotent, @UniqueBy, overwrites and the retry templates"
                .formatted(table, modes.get(table));
    }

    /**
     * Whether a request may be for a table that Accord writes. Such tables refuse local consistency levels.
     *
     * @return true also if that is not known
     */
    public boolean mayMeet(Request statement) {
        Map<Name, String> modes = modes();
        return modes == null
                || (!modes.isEmpty() && met(statement, modes).findFirst().isPresent());
    }

    /**
     * {@return whether all nodes know the option {@code transactional_mode}} A table that is created without it gets what the
     * server is configured for.
     */
    public boolean isOptionKnown() {
        InternalDriverContext internal = internal();
        return internal != null
                && !internal.getMetadataManager().getMetadata().getNodes().isEmpty()
                && internal.getMetadataManager().getMetadata().getNodes().values().stream()
                        .allMatch(TransactionalTables::hasTransactions);
    }

    /**
     * Waits for the first answer of the server. Not to be called on a thread of the driver.
     *
     * @return whether it came, or there is no server to ask
     */
    public boolean await() {
        if (internal() == null) {
            return true;
        }
        modes();
        try {
            answered.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (Exception none) {
            return false;
        }
    }

    /**
     * Has someone told that modes have changed.
     *
     * @param listener called on a thread of the driver
     */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** The tables with a mode that a statement is on. */
    private Stream<Name> met(Request statement, Map<Name, String> modes) {
        if (statement instanceof BatchStatement batch) {
            return StreamSupport.stream(batch.spliterator(), false).flatMap(part -> met(part, modes));
        }
        InternalDriverContext internal = internal();
        CqlIdentifier here = internal == null ? null : internal.getPoolManager().getKeyspace();
        return CqlText.of(statement).tables(CqlText.here(statement, here)).stream()
                .filter(modes::containsKey);
    }

    private @Nullable InternalDriverContext internal() {
        return context.get() instanceof InternalDriverContext internal ? internal : null;
    }

    /** {@return the tables that have a mode; null if that is not known yet} Asks the server after each change of the schema. */
    private @Nullable Map<Name, String> modes() {
        Known last = known;
        InternalDriverContext internal = internal();
        if (internal == null) {
            return last.modes() == null ? Map.of() : last.modes(); // no driver's session: a test's
        }
        return internal.getMetadataManager().getMetadata() == last.seen() ? last.modes() : look(internal);
    }

    private synchronized @Nullable Map<Name, String> look(InternalDriverContext internal) {
        Metadata now = internal.getMetadataManager().getMetadata();
        if (now != known.seen()) {
            known = new Known(now, known.modes());
            if (now.getNodes().values().stream().anyMatch(TransactionalTables::hasTransactions)) {
                ask(internal, now);
            } else {
                known = new Known(now, Map.of());
                answered.complete(null);
            }
        }
        return known.modes();
    }

    private static boolean hasTransactions(Node node) {
        return node.getCassandraVersion() != null && node.getCassandraVersion().getMajor() >= FIRST_WITH_TRANSACTIONS;
    }

    private void ask(InternalDriverContext internal, Metadata now) {
        DriverChannel channel = internal.getControlConnection().channel();
        CompletionStage<Map<Name, String>> answer = channel == null
                ? CompletableFuture.failedFuture(new IllegalStateException("The control connection is closed"))
                : AdminRequestHandler.query(channel, SCHEMA, TIMEOUT, Integer.MAX_VALUE, internal.getSessionName())
                        .start()
                        .thenApply(TransactionalTables::read);
        EventExecutorGroup drivers = internal.getNettyOptions().adminEventExecutorGroup();
        var unused = answer.whenCompleteAsync( // never here, under the lock
                (modes, failure) -> {
                    if (failure == null) {
                        learn(now, modes);
                    } else {
                        say(failure);
                        var unusedTimer = drivers.schedule(() -> again(now), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
                    }
                },
                drivers);
    }

    private void say(Throwable failure) {
        String consequence = known.modes() == null ? "no sure write goes out" : "those that were known before count";
        if (said.compareAndSet(false, true)) {
            log.warn(
                    "Could not read which tables have a transactional_mode, and ask again every second. Until they are known, {}",
                    consequence,
                    failure);
        } else {
            log.debug("Still not known which tables have a transactional_mode: {}", consequence, failure);
        }
    }

    private synchronized void again(Metadata asked) {
        InternalDriverContext internal = internal();
        if (internal != null && known.seen() == asked) { // otherwise a later change has it asked
            ask(internal, asked);
        }
    }

    private void learn(Metadata now, Map<Name, String> modes) {
        boolean changed;
        synchronized (this) {
            if (known.seen() != now) {
                return; // asked again meanwhile
            }
            changed = known.modes() != null && !modes.equals(known.modes());
            known = new Known(now, modes);
        }
        answered.complete(null);
        said.set(false);
        if (changed) {
            listeners.forEach(Runnable::run);
        }
    }

    private static Map<Name, String> read(AdminResult elements) {
        Map<Name, String> modes = new HashMap<>();
        for (AdminRow element : elements) {
            String ddl = element.getString("create_statement");
            String mode = ddl == null || !"table".equals(element.getString("type")) ? null : mode(ddl);
            if (mode != null) {
                modes.put(
                        new Name(
                                CqlIdentifier.fromCql(String.valueOf(element.getString("keyspace_name"))),
                                CqlIdentifier.fromCql(String.valueOf(element.getString("name")))),
                        mode);
            }
        }
        return Map.copyOf(modes);
    }

    /** The option that brings Accord in, null if none does. */
    static @Nullable String mode(String ddl) {
        return Stream.of("transactional_mode", "transactional_migration_from")
                .flatMap(option -> Stream.ofNullable(CqlText.option(ddl, option))
                        .filter(value -> !WITHOUT.contains(value.toLowerCase(Locale.ROOT)))
                        .map(value -> "%s = '%s'".formatted(option, value)))
                .findFirst()
                .orElse(null);
    }
}
