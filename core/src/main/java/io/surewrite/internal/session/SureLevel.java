package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfig;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.internal.core.config.typesafe.DefaultDriverConfigLoader;
import com.typesafe.config.Config;
import io.surewrite.internal.compat.PerSession;
import io.surewrite.internal.compat.TransactionalTables;
import io.surewrite.internal.cql.CqlText;
import io.surewrite.write.WriteScope;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The consistency level, in one session, of writes that must not get lost and of the reads that are to see them: a majority
 * of the replicas in the local data centre, so that each such read meets each such write. What the application has chosen wins: on
 * the statement, in its execution profile, or in the configuration.
 *
 * <p>The driver always has a level, {@code LOCAL_ONE} if none was chosen, so the configuration's origin decides, not its value.
 * Only where a configuration does not tell origins, as one made of a map, is {@code LOCAL_ONE} taken for the driver's own.
 */
public final class SureLevel implements WriteScope.Level {

    /** That reads are sent at the session's level: those of a repository that makes sure writes. */
    public static final Said<Boolean> READS = new Said<>();

    private static final DefaultConsistencyLevel DRIVERS = DefaultConsistencyLevel.LOCAL_ONE;

    private static final Set<String> WEAK = Set.of("ANY", "ONE", "LOCAL_ONE");

    private static final String CONSISTENCY = DefaultDriverOption.REQUEST_CONSISTENCY.getPath();

    /** Where the driver and other libraries have their defaults. */
    private static final String DEFAULTS = "reference.conf";

    private static final PerSession<SureLevel> OF_SESSIONS = new PerSession<>(SureLevel::new);

    private final DriverConfig config;
    private final @Nullable Config origins;
    private final boolean byDefault;
    private final Map<String, Boolean> byProfile = new ConcurrentHashMap<>();

    /** They refuse local levels. */
    private final TransactionalTables tables;

    private SureLevel(DriverContext context) {
        this.config = context.getConfig();
        this.origins = context.getConfigLoader() instanceof DefaultDriverConfigLoader file
                ? file.getConfigSupplier().get()
                : null;
        this.byDefault = isChosen(config.getDefaultProfile());
        this.tables = TransactionalTables.of(context);
    }

    public static SureLevel of(CqlSession session) {
        return of(session.getContext());
    }

    static SureLevel of(DriverContext context) {
        return OF_SESSIONS.get(context);
    }

    /** Whether an acknowledgement at this level says little: one replica, or none, may have the write. */
    private static boolean isWeak(String level) {
        return WEAK.contains(level.toUpperCase(Locale.ROOT));
    }

    /** {@return where the application has chosen a weak level, and where it says so} */
    public List<String> weakChoices() {
        Config known = origins;
        if (known == null) {
            return List.of();
        }
        Stream<String> ofProfiles = config.getProfiles().keySet().stream()
                .filter(name -> !name.equals(DriverExecutionProfile.DEFAULT_NAME))
                .map(SureLevel::inProfile)
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
        if (statement.getConsistencyLevel() != null || isChosenFor(statement)) {
            return null;
        }
        if (CqlText.of(statement).searchesVectors()) { // from one replica: servers warn of each other level
            return null;
        }
        return tables.mayMeet(statement) ? DefaultConsistencyLevel.QUORUM : DefaultConsistencyLevel.LOCAL_QUORUM;
    }

    private boolean isChosenFor(Statement<?> statement) {
        DriverExecutionProfile profile = statement.getExecutionProfile();
        String name = profile == null ? statement.getExecutionProfileName() : profile.getName();
        return byDefault
                || (profile != null && isAnother(profile)) // one made by hand tells no origins
                || (name != null && !name.isEmpty() && byProfile.computeIfAbsent(name, this::isChosenIn));
    }

    /** The driver complains of a profile that does not exist; its own name for the default one is none here. */
    private boolean isChosenIn(String profile) {
        return config.getProfiles().containsKey(profile)
                && (origins == null ? isAnother(config.getProfile(profile)) : origins.hasPath(inProfile(profile)));
    }

    private boolean isChosen(DriverExecutionProfile ofDefault) {
        return origins == null
                ? isAnother(ofDefault)
                : origins.hasPath(CONSISTENCY)
                        && !DEFAULTS.equals(
                                origins.getValue(CONSISTENCY).origin().resource());
    }

    private static boolean isAnother(DriverExecutionProfile profile) {
        return !DRIVERS.name().equalsIgnoreCase(profile.getString(DefaultDriverOption.REQUEST_CONSISTENCY));
    }

    private static String inProfile(String profile) {
        return "profiles.\"" + profile + "\"." + CONSISTENCY;
    }

    static boolean isReading() {
        return READS.here() != null;
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
