package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.context.DriverContext;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.autoconfigure.SurewriteOverwriteAutoConfiguration.OverwriteProperties;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.internal.session.SessionDecorator;
import io.surewrite.internal.session.StatementGuards;
import io.surewrite.internal.session.TemplateScope;
import io.surewrite.internal.session.WeakPolicies;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.lease.LeaseLocks.CloseableLeaseLocks;
import io.surewrite.overwrite.Overwrites;
import io.surewrite.overwrite.ReactiveRowOverwrites;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.schema.SurewriteSchema;
import io.surewrite.schema.TablesInUse;
import io.surewrite.session.SureSession;
import io.surewrite.session.SureSessions;
import io.surewrite.unique.ClaimingGuard;
import io.surewrite.unique.UniqueCatalog;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.unique.UniqueGuard;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.WriteTimestamps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.cql.ReactiveSessionCallback;
import org.springframework.data.cassandra.core.cql.SessionCallback;
import org.springframework.util.Assert;
import org.springframework.util.function.SingletonSupplier;
import reactor.core.publisher.Mono;

/**
 * The sets of all sessions. That of the primary session consists of the beans, which the application may have replaced;
 * those of the others are made here, by the same methods that make the beans.
 */
final class SessionSets implements SureSessions, DisposableBean {

    static final String NAME = "surewriteSessions";

    private final ConfigurableListableBeanFactory beans;
    private final ApplicationContext context;
    private final Map<Object, OfTemplate> ofTemplates = Collections.synchronizedMap(new IdentityHashMap<>());
    private final List<Shared> shared = new ArrayList<>();
    /** The parts of sessions that are made here, and their guards. */
    private final List<Object> made = new CopyOnWriteArrayList<>();

    SessionSets(ConfigurableListableBeanFactory beans, ApplicationContext context) {
        this.beans = beans;
        this.context = context;
    }

    @Override
    public OfTemplate of(CassandraOperations template) {
        return ofTemplates.computeIfAbsent(
                template, added -> new OfTemplate(template, template::getConverter, () -> sessionOf(template)));
    }

    @Override
    public OfTemplate of(ReactiveCassandraOperations template) {
        return ofTemplates.computeIfAbsent(
                template,
                added -> new OfTemplate(template, template::getConverter, () -> Reactive.sessionOf(template, this)));
    }

    Shared ofPrimary() {
        return shared(beans.getBean(CqlSession.class));
    }

    /** A part of the primary session; on a mock, something that starts. */
    <T> T ofPrimary(Class<T> type, Function<Shared, ? extends T> made) {
        CqlSession session = beans.getBean(CqlSession.class);
        return SessionDecorator.isReal(session) ? made.apply(shared(session)) : StandIn.of(type);
    }

    private CqlSession sessionOf(CassandraOperations template) {
        if (TemplateScope.isRouting(template)) {
            throw new InvalidConfigurationException(
                    template.getClass().getSimpleName(),
                    "The sessions of a template, which a repository with overwrites, unique values or retries uses,"
                            + " change from call to call: nobody can tell in which one its tables, claims and prepared"
                            + " statements are.",
                    "Give each session a template and repositories of its own.",
                    "session");
        }
        CqlSession session = template.getCqlOperations().execute((SessionCallback<CqlSession>) one -> one);
        CqlSession sent = SessionDecorator.unwrap(Objects.requireNonNull(session, "The template has no session"));
        String name = nameOf(sent.getContext());
        // A template may hand over a proxy; the bean is the driver's own session, or as near to it as can be had.
        return name == null ? sent : SessionDecorator.unwrap(beans.getBean(name, CqlSession.class));
    }

    /** Loaded only where Reactor is. */
    private static final class Reactive {

        static CqlSession sessionOf(ReactiveCassandraOperations template, SessionSets sets) {
            DriverContext wanted = template.getReactiveCqlOperations()
                    .execute((ReactiveSessionCallback<DriverContext>) session -> Mono.justOrEmpty(session.getContext()))
                    .next()
                    .toFuture()
                    .join();
            String name = sets.nameOf(wanted);
            if (name == null) {
                throw new InvalidConfigurationException(
                        template.getClass().getSimpleName(),
                        "The session behind a reactive template is no bean, so that it cannot be found.",
                        "Define the CqlSession that the ReactiveSession is made of as a bean.",
                        "session");
            }
            return sets.beans.getBean(name, CqlSession.class);
        }
    }

    /** That of its bean, or else the driver's. */
    String nameOf(CqlSession session) {
        String name = nameOf(session.getContext());
        return name == null ? session.getName() : name;
    }

    /** The name of the session's bean, the primary one's first: an application may have it plain and decorated. */
    private @Nullable String nameOf(DriverContext wanted) {
        String found = null;
        for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, CqlSession.class, true, false)) {
            if (isMade(beans, name) && beans.getBean(name, CqlSession.class).getContext() == wanted) {
                if (beans.containsBeanDefinition(name)
                        && beans.getBeanDefinition(name).isPrimary()) {
                    return name;
                }
                found = found == null ? name : found;
            }
        }
        return found;
    }

    /** Whether a bean is there, in a factory or in one that it has its beans from. */
    private static boolean isMade(@Nullable BeanFactory factory, String name) {
        return factory instanceof ConfigurableListableBeanFactory beans
                && (beans.containsSingleton(name) || isMade(beans.getParentBeanFactory(), name));
    }

    Shared shared(CqlSession session) {
        synchronized (shared) {
            return shared.stream()
                    .filter(known -> known.session.getContext() == session.getContext())
                    .findFirst()
                    .orElseGet(() -> {
                        Shared added = new Shared(session);
                        shared.add(added);
                        return added;
                    });
        }
    }

    /** {@return the parts of all sessions that have such a type, without making any: watching must not need their tables} */
    <T> List<T> made(Class<T> type) {
        Set<T> found = Collections.newSetFromMap(new IdentityHashMap<>());
        for (String bean : beans.getBeanNamesForType(type, false, false)) {
            if (type.isInstance(beans.getSingleton(bean))) {
                found.add(type.cast(beans.getSingleton(bean)));
            }
        }
        made.stream().filter(type::isInstance).map(type::cast).forEach(found::add);
        return List.copyOf(found);
    }

    @Override
    public void destroy() {
        for (Object part : made) {
            if (part instanceof CloseableLeaseLocks leases) {
                leases.close();
            }
        }
    }

    /** A bean without which the application has no such part, which its properties decide. */
    private <T> T require(Class<T> type, Class<?> part) {
        T bean = beans.getBeanProvider(type).getIfAvailable();
        if (bean == null) {
            throw new InvalidConfigurationException(
                    part.getSimpleName(),
                    "There is no %s: its feature is off, or there is no session.".formatted(part.getSimpleName()),
                    "Switch it on (surewrite.lease.enabled, surewrite.unique.enabled, surewrite.journal.enabled,"
                            + " surewrite.backlog.enabled), or do not ask for it.",
                    "session");
        }
        return bean;
    }

    /** What hangs on a session, whatever its template. The primary session's parts are the beans. */
    final class Shared {

        private final @Nullable String name;
        private final CqlSession session;
        private final boolean primary;
        private final Map<Class<?>, SingletonSupplier<?>> parts = new ConcurrentHashMap<>();

        Shared(CqlSession any) {
            boolean real = SessionDecorator.isReal(any);
            this.session =
                    real ? bean(ConditionalWriteProperties.class).profile().on(any) : any;
            this.name = nameOf(session.getContext());
            CqlSession first = beans.getBeanProvider(CqlSession.class).getIfUnique();
            this.primary = first != null && first.getContext() == session.getContext();
            if (name != null) {
                beans.registerDependentBean(name, NAME); // so that the session is closed after what works on it
            }
            beans.getBeanProvider(ClockGuards.class)
                    .ifAvailable(clocks -> clocks.watch(session, name == null ? session.getName() : name));
        }

        /** With the settings of conditional writes. */
        CqlSession session() {
            return session;
        }

        <T> T bean(Class<T> type) {
            return beans.getBean(type);
        }

        boolean isOnlyLookedAt() {
            return beans.containsSingleton(StartReport.LOOK);
        }

        Duration clockMargin() {
            return bean(ClockProperties.class).margin();
        }

        Duration attemptTimeout() {
            return bean(ConditionalWriteProperties.class).attemptTimeout();
        }

        ObservationRegistry observations() {
            return bean(LateObservations.class).registry();
        }

        SurewriteSchema schema() {
            return part(
                    SurewriteSchema.class,
                    SchemaProperties.class,
                    on -> SurewriteSchemaAutoConfiguration.ofAnother(on.session(), beans));
        }

        ConditionalWrites writes() {
            return part(
                    ConditionalWrites.class, ConditionalWriteProperties.class, SurewriteCqlAutoConfiguration::writes);
        }

        LeaseLocks leases() {
            return part(LeaseLocks.class, LeaseProperties.class, SurewriteLeaseAutoConfiguration::leases);
        }

        UniqueCatalog catalog() {
            return part(UniqueCatalog.class, UniqueProperties.class, Shared::ownCatalog);
        }

        UniqueConstraints constraints() {
            return part(UniqueConstraints.class, UniqueProperties.class, SurewriteUniqueAutoConfiguration::constraints);
        }

        AttributeJournal journal() {
            return part(AttributeJournal.class, JournalProperties.class, SurewriteJournalAutoConfiguration::journal);
        }

        /** One that the application has put in the place of ours knows no rows: it is for the application alone. */
        ClaimingGuard guard() {
            return once(ClaimingGuard.class, () -> {
                require(UniqueProperties.class, UniqueGuard.class);
                return kept(
                        primary && beans.getBeanProvider(UniqueGuard.class).getIfUnique() instanceof ClaimingGuard ours
                                ? ours
                                : SurewriteUniqueAutoConfiguration.guard(this));
            });
        }

        /** The primary session's part is the bean. Without its properties there is none. */
        private <T> T part(Class<T> type, Class<?> properties, Function<Shared, T> ofAnother) {
            return once(type, () -> {
                Class<?> needed = primary ? type : properties;
                Object found = require(needed, type);
                return primary ? type.cast(found) : kept(ofAnother.apply(this));
            });
        }

        private <T> T kept(T part) {
            made.add(part);
            return part;
        }

        private <T> T once(Class<T> type, Supplier<T> made) {
            return type.cast(parts.computeIfAbsent(type, added -> SingletonSupplier.of(made))
                    .obtain());
        }

        /** Sessions that have one table of claims have one catalog: there no two constraints may have one name. */
        private UniqueCatalog ownCatalog() {
            List<Shared> others = new ArrayList<>();
            beans.getBeanProvider(CqlSession.class).ifUnique(first -> others.add(shared(first)));
            synchronized (shared) {
                others.addAll(shared.subList(0, shared.indexOf(this)));
            }
            return others.stream()
                    .filter(other -> other.hasClaimsOf(this))
                    .findFirst()
                    .map(Shared::catalog)
                    .orElseGet(UniqueCatalog::new);
        }

        private boolean hasClaimsOf(Shared other) {
            boolean oneCluster = !Collections.disjoint(
                    session.getMetadata().getNodes().keySet(),
                    other.session.getMetadata().getNodes().keySet());
            boolean oneKeyspace = beans.getBean(SchemaProperties.class).keyspace() != null
                    || session.getKeyspace().equals(other.session.getKeyspace());
            return oneCluster && oneKeyspace;
        }

        void requireSureWrites(String feature) {
            WeakPolicies.require(feature, nameOf(session), session);
        }

        void requireSureConditions(String feature) {
            WeakPolicies.requireConditional(feature, nameOf(session), session);
        }

        WriteTimestamps timestamps() {
            WriteTimestamps bean =
                    primary ? beans.getBeanProvider(WriteTimestamps.class).getIfUnique() : null;
            return bean != null ? bean : WriteTimestamps.of(session);
        }
    }

    final class OfTemplate implements SureSession {

        private final Object template;
        private final Supplier<CassandraConverter> converter;
        private final SingletonSupplier<Shared> parts;
        private final SingletonSupplier<Overwrites> overwrites = SingletonSupplier.of(this::makeOverwrites);
        private final SingletonSupplier<RowOverwrites> blocking;
        private final SingletonSupplier<ReactiveRowOverwrites> reactive;

        OfTemplate(Object template, Supplier<CassandraConverter> converter, Supplier<CqlSession> session) {
            this.template = template;
            this.converter = converter;
            this.parts = SingletonSupplier.of(() -> shared(session.get()));
            this.blocking =
                    SingletonSupplier.of(() -> overwriteFactory().rowOverwrites(template(CassandraOperations.class)));
            this.reactive = SingletonSupplier.of(
                    () -> overwriteFactory().reactiveRowOverwrites(template(ReactiveCassandraOperations.class)));
        }

        @Override
        public @Nullable String name() {
            return parts.obtain().name;
        }

        @Override
        public Object template() {
            return template;
        }

        @Override
        public CqlSession session() {
            return parts.obtain().session;
        }

        @Override
        public CassandraConverter converter() {
            return converter.get();
        }

        @Override
        public WriteTimestamps writeTimestamps() {
            return parts.obtain().timestamps();
        }

        @Override
        public LeaseLocks leaseLocks() {
            return parts.obtain().leases();
        }

        @Override
        public ClaimingGuard uniqueGuard() {
            return parts.obtain().guard();
        }

        @Override
        public UniqueCatalog uniqueCatalog() {
            return parts.obtain().catalog();
        }

        @Override
        public UniqueFinder uniqueFinder() {
            return uniqueCatalog().finder(this::uniqueGuard);
        }

        @Override
        public UniqueConstraints uniqueConstraints() {
            return parts.obtain().constraints();
        }

        @Override
        public RowOverwrites rowOverwrites() {
            return blocking.obtain();
        }

        @Override
        public ReactiveRowOverwrites reactiveRowOverwrites() {
            return reactive.obtain();
        }

        private <T> T template(Class<T> type) {
            Assert.state(
                    type.isInstance(template),
                    () -> "The template is no %s. Fix: ask for its other overwrites".formatted(type.getSimpleName()));
            return type.cast(template);
        }

        @Override
        public Overwrites overwriteFactory() {
            return overwrites.obtain();
        }

        private Overwrites makeOverwrites() {
            OverwriteProperties properties = require(OverwriteProperties.class, RowOverwrites.class);
            return new Overwrites(
                    session(),
                    converter(),
                    properties.maxSize().toBytes(),
                    writeTimestamps(),
                    context,
                    table -> beans.getBeanProvider(TablesInUse.class)
                            .ifAvailable(tables -> tables.add(session(), table, "an overwrite", now -> List.of())),
                    beans.getBean(StatementGuards.class));
        }

        @Override
        public AttributeJournal attributeJournal() {
            return parts.obtain().journal();
        }

        @Override
        public WriteBacklog writeBacklog() {
            return require(WriteBacklog.class, WriteBacklog.class).of(session().getContext());
        }
    }
}
