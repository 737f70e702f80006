package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.context.DriverContext;
import io.surewrite.autoconfigure.SurewriteCqlAutoConfiguration.SettlementScheduler;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.WriteTimestamps;
import io.surewrite.cql.session.ScopedCqlSession;
import io.surewrite.cql.session.TemplateScope;
import io.surewrite.cql.settle.ConditionalProfile;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.lease.CloseableLeaseLocks;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.overwrite.ReactiveRowOverwrites;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.overwrite.engine.Overwrites;
import io.surewrite.schema.SurewriteSchema;
import io.surewrite.schema.tables.TablesInUse;
import io.surewrite.session.SureSession;
import io.surewrite.session.SureSessionException;
import io.surewrite.session.SureSessions;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.unique.UniqueGuard;
import io.surewrite.unique.catalog.CatalogedFinder;
import io.surewrite.unique.catalog.UniqueCatalog;
import io.surewrite.unique.claims.ClaimingGuard;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.core.convert.CassandraConverter;
import org.springframework.data.cassandra.core.cql.ReactiveSessionCallback;
import org.springframework.data.cassandra.core.cql.SessionCallback;
import org.springframework.util.function.SingletonSupplier;
import reactor.core.publisher.Mono;

/**
 * The sets of all sessions. That of the primary session consists of the beans, which the application may have replaced;
 * those of the others are made here, by the same methods that make the beans.
 */
final class SessionSets implements SureSessions, DisposableBean {

    static final String NAME = "surewriteSessions";

    private static final String NO_SESSION = "there is no session";
    private static final String LEASES_OFF = LeaseProperties.PREFIX + ".enabled=false switches leases off";
    private static final String UNIQUE_OFF = UniqueProperties.PREFIX + ".enabled=false switches unique values off";
    private static final String JOURNAL_OFF = "surewrite.journal.enabled=true switches the journal on";

    private final ConfigurableListableBeanFactory beans;
    private final ApplicationContext context;
    private final Map<Object, OfTemplate> ofTemplates = Collections.synchronizedMap(new IdentityHashMap<>());
    private final List<Shared> shared = new ArrayList<>();

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

    /** What the bean is. */
    RowOverwrites overwrites(CassandraOperations template) {
        return of(template).overwrites.obtain().rowOverwrites(template);
    }

    /** What the bean is. */
    ReactiveRowOverwrites overwrites(ReactiveCassandraOperations template) {
        return of(template).overwrites.obtain().reactiveRowOverwrites(template);
    }

    /** The guard that the repositories of the application's session use. */
    ClaimingGuard guardOfPrimary() {
        return shared(beans.getBean(CqlSession.class)).guard.obtain();
    }

    private CqlSession sessionOf(CassandraOperations template) {
        if (TemplateScope.isRouting(template)) {
            throw new SureSessionException(
                    "The sessions of a template, which a repository with overwrites, unique values or retries uses,"
                            + " change from call to call: nobody can tell in which one its tables, claims and prepared"
                            + " statements are.",
                    "Give each session a template and repositories of its own.");
        }
        CqlSession session = template.getCqlOperations().execute((SessionCallback<CqlSession>) one -> one);
        CqlSession sent = ScopedCqlSession.unwrap(Objects.requireNonNull(session, "The template has no session"));
        String name = nameOf(sent.getContext());
        // A template may hand over a proxy; the bean is the driver's own session, or as near to it as can be had.
        return name == null ? sent : ScopedCqlSession.unwrap(beans.getBean(name, CqlSession.class));
    }

    /** Loaded only where Reactor is. */
    private static final class Reactive {

        static CqlSession sessionOf(ReactiveCassandraOperations template, SessionSets sets) {
            DriverContext wanted = template.getReactiveCqlOperations()
                    .execute((ReactiveSessionCallback<DriverContext>) session -> Mono.just(session.getContext()))
                    .next()
                    .toFuture()
                    .join();
            String name = sets.nameOf(wanted);
            if (name == null) {
                throw new SureSessionException(
                        "The session behind a reactive template is no bean, so that it cannot be found.",
                        "Define the CqlSession that the ReactiveSession is made of as a bean.");
            }
            return sets.beans.getBean(name, CqlSession.class);
        }
    }

    /** The name that a session is known by: that of its bean, or else the driver's. */
    String nameOf(CqlSession session) {
        String name = nameOf(session.getContext());
        return name == null ? session.getName() : name;
    }

    /** The name of the session's bean, the primary one's first: an application may have it plain and decorated. */
    private @Nullable String nameOf(DriverContext wanted) {
        List<String> names = new ArrayList<>();
        for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, CqlSession.class, true, false)) {
            boolean made = beans.containsSingleton(name) || !beans.containsLocalBean(name);
            if (made && beans.getBean(name, CqlSession.class).getContext() == wanted) {
                names.add(name);
            }
        }
        return names.stream()
                .filter(name -> beans.containsBeanDefinition(name)
                        && beans.getBeanDefinition(name).isPrimary())
                .findFirst()
                .orElse(names.isEmpty() ? null : names.get(0));
    }

    private Shared shared(CqlSession session) {
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

    @Override
    public void destroy() {
        synchronized (shared) {
            shared.forEach(Shared::close);
        }
    }

    private <T> T bean(Class<T> type, String property) {
        T bean = beans.getBeanProvider(type).getIfAvailable();
        if (bean == null) {
            throw new IllegalStateException("There is no %s: %s".formatted(type.getSimpleName(), property));
        }
        return bean;
    }

    /** What hangs on a session, whatever its template. */
    private final class Shared {

        private final @Nullable String name;
        private final CqlSession session;
        private final boolean primary;
        private final SingletonSupplier<SurewriteSchema> schema;
        private final SingletonSupplier<ConditionalWrites> writes;
        private final SingletonSupplier<LeaseLocks> leases;
        private final SingletonSupplier<UniqueCatalog> catalog;
        private final SingletonSupplier<ClaimingGuard> guard;
        private final SingletonSupplier<UniqueConstraints> constraints;
        private final SingletonSupplier<AttributeJournal> journal;
        private @Nullable CloseableLeaseLocks ownLeases;

        Shared(CqlSession any) {
            this.session = beans.getBeanProvider(ConditionalProfile.class)
                    .getIfAvailable(() -> ConditionalProfile.DEFAULT)
                    .on(any);
            this.name = nameOf(session.getContext());
            CqlSession first = beans.getBeanProvider(CqlSession.class).getIfUnique();
            this.primary = first != null && first.getContext() == session.getContext();
            if (name != null) {
                beans.registerDependentBean(name, NAME); // so that the session is closed after what works on it
            }
            beans.getBeanProvider(ClockGuards.class)
                    .ifAvailable(clocks -> clocks.watch(session, name == null ? session.getName() : name));
            this.schema = part(SurewriteSchema.class, SchemaProperties.class, NO_SESSION, this::ownSchema);
            this.writes = part(
                    ConditionalWrites.class,
                    SettlementScheduler.class,
                    NO_SESSION,
                    () -> SurewriteCqlAutoConfiguration.writes(
                            session, bean(SettlementScheduler.class, NO_SESSION), beans));
            this.leases = part(LeaseLocks.class, LeaseProperties.class, LEASES_OFF, this::ownLeases);
            this.catalog = part(UniqueCatalog.class, UniqueProperties.class, UNIQUE_OFF, this::ownCatalog);
            this.guard = SingletonSupplier.of(this::guard);
            this.constraints = part(
                    UniqueConstraints.class,
                    UniqueProperties.class,
                    UNIQUE_OFF,
                    () -> SurewriteUniqueAutoConfiguration.constraints(
                            session, writes.obtain(), schema.obtain(), catalog.obtain(), beans));
            this.journal = part(
                    AttributeJournal.class,
                    JournalProperties.class,
                    JOURNAL_OFF,
                    () -> SurewriteJournalAutoConfiguration.journal(session, writes.obtain(), schema.obtain(), beans));
        }

        /**
         * The primary session's part is the bean.
         *
         * @param needed what must be there so that there is such a part
         * @param otherwise what to do if it is not there
         */
        private <T> SingletonSupplier<T> part(Class<T> type, Class<?> needed, String otherwise, Supplier<T> ofAnother) {
            return SingletonSupplier.of(() -> {
                if (primary) {
                    return bean(type, otherwise);
                }
                bean(needed, otherwise);
                return ofAnother.get();
            });
        }

        /** One that the application has put in the place of ours knows no rows: it is for the application alone. */
        private ClaimingGuard guard() {
            bean(UniqueProperties.class, UNIQUE_OFF);
            return primary && beans.getBeanProvider(UniqueGuard.class).getIfUnique() instanceof ClaimingGuard ours
                    ? ours
                    : SurewriteUniqueAutoConfiguration.guard(session, writes.obtain(), schema.obtain(), beans);
        }

        private SurewriteSchema ownSchema() {
            SurewriteSchema made = SurewriteSchemaAutoConfiguration.ofAnother(session, beans);
            beans.getBeanProvider(TablesInUse.class).ifAvailable(tables -> tables.addOwn(session, made::inUse));
            return made;
        }

        private LeaseLocks ownLeases() {
            ownLeases = SurewriteLeaseAutoConfiguration.leases(session, writes.obtain(), schema.obtain(), beans);
            return ownLeases;
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
                    .map(other -> other.catalog.obtain())
                    .orElseGet(UniqueCatalog::new);
        }

        private boolean hasClaimsOf(Shared other) {
            boolean oneCluster = !Collections.disjoint(
                    session.getMetadata().getNodes().keySet(),
                    other.session.getMetadata().getNodes().keySet());
            boolean oneKeyspace = bean(SchemaProperties.class, NO_SESSION).keyspace() != null
                    || session.getKeyspace().equals(other.session.getKeyspace());
            return oneCluster && oneKeyspace;
        }

        WriteTimestamps timestamps() {
            WriteTimestamps bean =
                    primary ? beans.getBeanProvider(WriteTimestamps.class).getIfUnique() : null;
            return bean != null ? bean : WriteTimestamps.of(session);
        }

        void close() {
            if (ownLeases != null) {
                ownLeases.close();
            }
        }
    }

    /** The set of one template. */
    final class OfTemplate implements SureSession {

        private final Object template;
        private final Supplier<CassandraConverter> converter;
        private final SingletonSupplier<Shared> parts;
        private final SingletonSupplier<Overwrites> overwrites = SingletonSupplier.of(this::makeOverwrites);
        private final SingletonSupplier<RowOverwrites> blocking = SingletonSupplier.of(this::makeBlocking);
        private final SingletonSupplier<ReactiveRowOverwrites> reactive = SingletonSupplier.of(this::makeReactive);

        OfTemplate(Object template, Supplier<CassandraConverter> converter, Supplier<CqlSession> session) {
            this.template = template;
            this.converter = converter;
            this.parts = SingletonSupplier.of(() -> shared(session.get()));
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
            return parts.obtain().leases.obtain();
        }

        @Override
        public ClaimingGuard uniqueGuard() {
            return parts.obtain().guard.obtain();
        }

        @Override
        public UniqueCatalog uniqueCatalog() {
            return parts.obtain().catalog.obtain();
        }

        @Override
        public UniqueFinder uniqueFinder() {
            return new CatalogedFinder(uniqueCatalog(), this::uniqueGuard);
        }

        @Override
        public UniqueConstraints uniqueConstraints() {
            return parts.obtain().constraints.obtain();
        }

        @Override
        public RowOverwrites rowOverwrites() {
            return blocking.obtain();
        }

        @Override
        public ReactiveRowOverwrites reactiveRowOverwrites() {
            return reactive.obtain();
        }

        @Override
        public Overwrites overwriteFactory() {
            return overwrites.obtain();
        }

        private RowOverwrites makeBlocking() {
            if (!(template instanceof CassandraOperations operations)) {
                throw new IllegalStateException("The template is reactive: ask for reactiveRowOverwrites()");
            }
            RowOverwrites bean = beanOf(CassandraOperations.class, RowOverwrites.class);
            return bean != null ? bean : overwrites.obtain().rowOverwrites(operations);
        }

        private ReactiveRowOverwrites makeReactive() {
            if (!(template instanceof ReactiveCassandraOperations operations)) {
                throw new IllegalStateException("The template is not reactive: ask for rowOverwrites()");
            }
            ReactiveRowOverwrites bean = beanOf(ReactiveCassandraOperations.class, ReactiveRowOverwrites.class);
            return bean != null ? bean : overwrites.obtain().reactiveRowOverwrites(operations);
        }

        /** The bean is about the primary template. */
        private <T> @Nullable T beanOf(Class<?> templates, Class<T> type) {
            return beans.getBeanProvider(templates).getIfUnique() == template
                    ? beans.getBeanProvider(type).getIfUnique()
                    : null;
        }

        private Overwrites makeOverwrites() {
            bean(OverwriteProperties.class, NO_SESSION);
            return SurewriteOverwriteAutoConfiguration.factory(
                    session(), converter(), parts.obtain().timestamps(), context);
        }

        @Override
        public AttributeJournal attributeJournal() {
            return parts.obtain().journal.obtain();
        }

        @Override
        public WriteBacklog writeBacklog() {
            return bean(WriteBacklog.class, BacklogProperties.PREFIX + ".enabled=true switches the backlog on")
                    .of(session().getContext());
        }
    }
}
