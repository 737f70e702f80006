package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfig;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.internal.core.config.typesafe.DefaultDriverConfigLoader;
import com.typesafe.config.Config;
import io.surewrite.internal.compat.TransactionalTables;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.write.WriteScope;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The consistency level, in one session, of writes that must not get lost and of the reads that are to see them: a majority
 * of the replicas in the local data centre, so that each such read meets each such write.
 *
 * <p>What the application has chosen wins: on the statement, in the statement's execution profile, or in the configuration
 * of the session. The driver always has a level, {@code LOCAL_ONE} if none was chosen, so the configuration's origin
 * decides, not its value. Only where a configuration does not tell origins, as one made of a map, is {@code LOCAL_ONE} taken
 * for the driver's own.
 *
 * <p>A vector search ({@code ORDER BY ... ANN OF}) keeps the driver's level: servers answer it from one replica.
 *
 * <p>A table with a {@code transactional_mode} (Cassandra 6) refuses local levels; there the level is {@code QUORUM}.
 */
public final class SureLevel implements WriteScope.Level {

    private static final ThreadLocal<@Nullable Boolean> READING = new ThreadLocal<>();

    private static final WriteScope.Opened LEAVE = () -> READING.set(null);

    private static final DefaultConsistencyLevel DRIVERS = DefaultConsistencyLevel.LOCAL_ONE;

    private static final Set<String> WEAK = Set.of("ANY", "ONE", "LOCAL_ONE");

    private static final String CONSISTENCY = DefaultDriverOption.REQUEST_CONSISTENCY.getPath();

    /** Where the driver and other libraries have their defaults. */
    private static final String DEFAULTS = "reference.conf";

    /** Few, and read for each statement: a new list for each session, and no lock. */
    private static volatile List<SureLevel> ofSessions = List.of();

    private final WeakReference<DriverContext> context;
    private final Chosen chosen;

    /** They refuse local levels. */
    private final TransactionalTables tables;

    private SureLevel(DriverContext context) {
        this.context = new WeakReference<>(context);
        this.chosen = new Chosen(context.getConfig(), origins(context.getConfigLoader()));
        this.tables = TransactionalTables.of(context);
    }

    /** The level of a session's sure statements. */
    public static SureLevel of(CqlSession session) {
        return of(session.getContext());
    }

    static SureLevel of(DriverContext context) {
        SureLevel known = find(context);
        return known == null ? add(context) : known;
    }

    private static @Nullable SureLevel find(DriverContext context) {
        List<SureLevel> known = ofSessions;
        for (int i = 0; i < known.size(); i++) { // no iterator: this is asked for each statement
            if (known.get(i).context.refersTo(context)) {
                return known.get(i);
            }
        }
        return null;
    }

    private static synchronized SureLevel add(DriverContext context) {
        SureLevel known = find(context);
        if (known != null) {
            return known;
        }
        SureLevel added = new SureLevel(context);
        List<SureLevel> all = new ArrayList<>(ofSessions);
        all.removeIf(level -> level.context.refersTo(null)); // the session is gone
        all.add(added);
        ofSessions = List.copyOf(all);
        return added;
    }

    /** Whether an acknowledgement at this level says little: one replica, or none, may have the write. */
    private static boolean isWeak(String level) {
        return WEAK.contains(level.toUpperCase(Locale.ROOT));
    }

    /**
     * {@return where the application has chosen a weak level, and where it says so, one entry each} Empty if it has not.
     */
    public List<String> weakChoices() {
        return chosen.weak();
    }

    /** Sets the level where the application has chosen none. */
    @SuppressWarnings("unchecked") // every statement of the driver returns its own type
    public <S extends Statement<?>> S applyTo(S statement) {
        ConsistencyLevel level = levelOf(statement);
        return level == null ? statement : (S) statement.setConsistencyLevel(level);
    }

    @Override
    public @Nullable ConsistencyLevel of(Statement<?> statement, @Nullable DriverContext session) {
        return (session == null ? this : of(session)).levelOf(statement);
    }

    private @Nullable ConsistencyLevel levelOf(Statement<?> statement) {
        if (statement.getConsistencyLevel() != null || chosen.decides(statement)) {
            return null;
        }
        if (CqlText.of(statement).searchesVectors()) { // servers warn of each other level than the driver's
            return null;
        }
        return tables.mayMeet(statement) ? DefaultConsistencyLevel.QUORUM : DefaultConsistencyLevel.LOCAL_QUORUM;
    }

    private static @Nullable Config origins(DriverConfigLoader loader) {
        return loader instanceof DefaultDriverConfigLoader file
                ? file.getConfigSupplier().get()
                : null;
    }

    /** What the application has chosen in the configuration. */
    private static final class Chosen {

        private final DriverConfig config;
        private final @Nullable Config origins;
        private final boolean byDefault;
        private final Map<String, Boolean> byProfile = new ConcurrentHashMap<>();

        Chosen(DriverConfig config, @Nullable Config origins) {
            this.config = config;
            this.origins = origins;
            this.byDefault = isChosen(config.getDefaultProfile());
        }

        boolean decides(Statement<?> statement) {
            DriverExecutionProfile profile = statement.getExecutionProfile();
            if (profile != null) {
                // One made by hand tells no origins: another level than the driver's was chosen somewhere.
                return !DRIVERS.name().equalsIgnoreCase(profile.getString(DefaultDriverOption.REQUEST_CONSISTENCY))
                        || decides(profile.getName());
            }
            return decides(statement.getExecutionProfileName());
        }

        private boolean decides(@Nullable String profile) {
            if (profile == null || profile.isEmpty()) {
                return byDefault;
            }
            return byDefault || byProfile.computeIfAbsent(profile, this::isChosenIn);
        }

        private boolean isChosenIn(String profile) {
            // The driver complains of a profile that does not exist; its own name for the default one is no profile
            // here.
            return config.getProfiles().containsKey(profile)
                    && (origins == null ? isChosen(config.getProfile(profile)) : origins.hasPath(inProfile(profile)));
        }

        private boolean isChosen(DriverExecutionProfile profile) {
            if (origins == null) {
                return !DRIVERS.name().equalsIgnoreCase(profile.getString(DefaultDriverOption.REQUEST_CONSISTENCY));
            }
            return origins.hasPath(CONSISTENCY)
                    && !DEFAULTS.equals(origins.getValue(CONSISTENCY).origin().resource());
        }

        List<String> weak() {
            Config known = origins;
            if (known == null) {
                return List.of();
            }
            Stream<String> ofProfiles = config.getProfiles().keySet().stream()
                    .filter(name -> !name.equals(DriverExecutionProfile.DEFAULT_NAME))
                    .map(Chosen::inProfile)
                    .filter(known::hasPath)
                    .sorted();
            return Stream.concat(byDefault ? Stream.of(CONSISTENCY) : Stream.empty(), ofProfiles)
                    .filter(path -> isWeak(known.getString(path)))
                    .map(path -> "%s (%s, of %s)"
                            .formatted(
                                    known.getString(path).toUpperCase(Locale.ROOT),
                                    path,
                                    known.getValue(path).origin().description()))
                    .toList();
        }

        private static String inProfile(String profile) {
            return "profiles.\"" + profile + "\"." + CONSISTENCY;
        }
    }

    /**
     * Has reads on this thread see every sure write: those of a repository that has some. The templates of this package send
     * them at the session's level, and leave writes as they are.
     *
     * @return to be closed by the same thread
     */
    public static WriteScope.Opened openReads() {
        Boolean outer = READING.get();
        READING.set(true);
        return outer == null ? LEAVE : WriteScope.Opened.NOTHING;
    }

    /** The same in a subscription, for {@code contextWrite}. */
    public static Function<Context, Context> enterReads() {
        return context -> context.put(SureLevel.class, true);
    }

    static boolean isReading() {
        return READING.get() != null;
    }

    static boolean isReading(ContextView context) {
        return isReading() || context.hasKey(SureLevel.class);
    }

    /** A statement as its scope wants it; without a scope, a sure read at the level of its session. */
    static Statement<?> scoped(
            Statement<?> statement, @Nullable WriteScope scope, boolean reading, @Nullable DriverContext session) {
        if (session == null) {
            return statement; // to a mock
        }
        if (scope != null) {
            return scope.applyTo(statement, session);
        }
        return reading && CqlText.isRead(statement) ? of(session).applyTo(statement) : statement;
    }
}
