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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The tables of a session's server that Accord writes (Cassandra 6), or that are on their way back: it replaces the timestamp that
 * a request carries, so a late repetition of an old value wins over a newer one there.
 *
 * <p>The mode is in no column of {@code system_schema}, and no event tells that it alone has changed. But the driver reads the
 * schema again after each change, and has new metadata then: whoever asks here compares that.
 */
public final class TransactionalTables {

    public static final String SCHEMA = "DESCRIBE SCHEMA";

    private static final Logger log = LoggerFactory.getLogger(TransactionalTables.class);

    private static final int FIRST_WITH_TRANSACTIONS = 6;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final Set<String> WITHOUT = Set.of("off", "none");

    private static final PerSession<TransactionalTables> OF_SESSIONS = new PerSession<>(TransactionalTables::new);

    private final WeakReference<DriverContext> context;
    private final CompletableFuture<Void> answered = new CompletableFuture<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Known known = new Known(null, null);

    /** Whether the log says that the server does not answer: metadata change often, and each change asks anew. */
    private volatile boolean said;

    /** The modes of the tables that have one, null before the first answer, and the driver's metadata when the server was asked. */
    private record Known(@Nullable Metadata seen, @Nullable Map<Name, String> modes) {}

    /** Why a write must not be sent; {@code passing} if it may be later without a change of the schema. */
    public record Refusal(String problem, boolean passing) {}

    private TransactionalTables(DriverContext context) {
        this.context = new WeakReference<>(context);
        modes();
    }

    public static TransactionalTables of(DriverContext session) {
        return OF_SESSIONS.get(session);
    }

    /**
     * {@return why a write that carries its timestamp beside its text must not be sent; null if it may}
     *
     * @param session that sends it; null if that is not known, and any may
     */
    public static @Nullable Refusal refusal(@Nullable DriverContext session, Request statement) {
        if (session != null) {
            return of(session).refusal(statement);
        }
        return OF_SESSIONS.all().stream()
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

    /** {@return the mode of a table, why it matters, and the fix; null if Accord does not write it, or that is not known} */
    public @Nullable String problem(CqlIdentifier keyspace, CqlIdentifier name) {
        Map<Name, String> modes = modes();
        Name table = new Name(keyspace, name);
        return modes == null || !modes.containsKey(table) ? null : problem(table, modes);
    }

    private static String problem(Name table, Map<Name, String> modes) {
        return "table %1$s has %2$s: Accord gives each write a timestamp of its own, so that a late repetition of an old write would win over a newer one. Fix: ALTER TABLE %1$s WITH transactional_mode = 'off', wait until it is migrated (nodetool consensus_admin list), or write to it without @Idempotent, @UniqueBy, overwrites and the retry templates"
                .formatted(table, modes.get(table));
    }

    /** Whether a request is for a table that Accord writes, or that is not known: such tables refuse local levels. */
    public boolean mayMeet(Request statement) {
        Map<Name, String> modes = modes();
        return modes == null
                || (!modes.isEmpty() && met(statement, modes).findFirst().isPresent());
    }

    /** Whether all nodes know the option: a table that is created without it gets what the server is configured for. */
    public boolean isOptionKnown() {
        InternalDriverContext internal = internal();
        Map<UUID, Node> nodes = internal == null
                ? Map.of()
                : internal.getMetadataManager().getMetadata().getNodes();
        return !nodes.isEmpty() && nodes.values().stream().allMatch(TransactionalTables::hasTransactions);
    }

    /** Whether the server has answered, after a wait, or there is none. Not to be called on a thread of the driver. */
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

    /** Has changes of modes told, on a thread of the driver. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

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

    /** Null if they are not known yet. Asks the server after each change of the schema. */
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
                    boolean before = said;
                    said = failure != null;
                    if (failure == null) {
                        learn(now, modes);
                        return;
                    }
                    log.atLevel(before ? Level.DEBUG : Level.WARN)
                            .setCause(failure)
                            .log(
                                    "Could not read which tables have a transactional_mode, and ask again every second. Until they are known, {}",
                                    known.modes() == null
                                            ? "no sure write goes out"
                                            : "those that were known before count");
                    var unusedTimer = drivers.schedule(() -> again(now), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
                },
                drivers);
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
