package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.context.DriverContext;
import io.surewrite.backlog.WriteBacklog;
import io.surewrite.cql.ConditionalProfile;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.ScopedCqlSession;
import io.surewrite.cql.TemplateScope;
import io.surewrite.cql.WriteListener;
import io.surewrite.cql.WriteTimestamps;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.journal.JournalListener;
import io.surewrite.lease.CloseableLeaseLocks;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.overwrite.OverwriteFactory;
import io.surewrite.overwrite.OverwriteListener;
import io.surewrite.overwrite.ReactiveRowOverwrites;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.schema.SurewriteSchema;
import io.surewrite.schema.TablesInUse;
import io.surewrite.session.SureSession;
import io.surewrite.session.SureSessionException;
import io.surewrite.session.SureSessions;
import io.surewrite.unique.CatalogedFinder;
import io.surewrite.unique.ClaimingGuard;
import io.surewrite.unique.UniqueCatalog;
import io.surewrite.unique.UniqueConstraints;
import io.surewrite.unique.UniqueFinder;
import io.surewrite.unique.UniqueListener;
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
        private final SingletonSupplier<SurewriteSchema> schema = SingletonSupplier.of(this::makeSchema);
        private final SingletonSupplier<ConditionalWrites> writes = SingletonSupplier.of(this::makeWrites);
        private final SingletonSupplier<LeaseLocks> leases = SingletonSupplier.of(this::makeLeases);
        private final SingletonSupplier<UniqueCatalog> catalog = SingletonSupplier.of(this::makeCatalog);
        private final SingletonSupplier<ClaimingGuard> guard = SingletonSupplier.of(this::makeGuard);
        private final SingletonSupplier<UniqueConstraints> constraints = SingletonSupplier.of(this::makeConstraints);
        private final SingletonSupplier<AttributeJournal> journal = SingletonSupplier.of(this::makeJournal);
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
        }

        private SurewriteSchema makeSchema() {
            if (primary) {
                return bean(SurewriteSchema.class, "there is no session");
            }
            SurewriteSchema made = SurewriteSchemaAutoConfiguration.ofAnother(session, beans);
            beans.getBeanProvider(TablesInUse.class).ifAvailable(tables -> tables.addOwn(session, made::inUse));
            return made;
        }

        private ConditionalWrites makeWrites() {
            if (primary) {
                return bean(ConditionalWrites.class, "there is no session");
            }
            return ConditionalWrites.on(
                    session,
                    bean(SettlementScheduler.class, "there is no session").executor(),
                    WriteListener.all(beans.getBeanProvider(WriteListener.class)
                            .orderedStream()
                            .toList()));
        }

        private LeaseLocks makeLeases() {
            LeaseProperties properties =
                    bean(LeaseProperties.class, LeaseProperties.PREFIX + ".enabled=false switches leases off");
            if (primary) {
                return bean(LeaseLocks.class, LeaseProperties.PREFIX + ".enabled=false switches leases off");
            }
            ownLeases = SurewriteLeaseAutoConfiguration.leases(
                    session, writes.obtain(), schema.obtain(), properties, beans.getBeanProvider(LeaseListener.class));
            return ownLeases;
        }

        private UniqueProperties unique() {
            return bean(UniqueProperties.class, UniqueProperties.PREFIX + ".enabled=false switches unique values off");
        }

        private ClaimingGuard makeGuard() {
            return primary
                    ? bean(ClaimingGuard.class, UniqueProperties.PREFIX + ".enabled=false switches unique values off")
                    : SurewriteUniqueAutoConfiguration.guard(
                            session,
                            writes.obtain(),
                            schema.obtain(),
                            unique(),
                            beans.getBeanProvider(UniqueListener.class));
        }

        /** Sessions that have one table of claims have one catalog: there no two constraints may have one name. */
        private UniqueCatalog makeCatalog() {
            if (primary) {
                return bean(UniqueCatalog.class, UniqueProperties.PREFIX + ".enabled=false switches unique values off");
            }
            CqlSession first = beans.getBeanProvider(CqlSession.class).getIfUnique();
            if (first != null) {
                Shared ofFirst = shared(first);
                if (ofFirst.hasClaimsOf(this)) {
                    return ofFirst.catalog.obtain();
                }
            }
            List<Shared> others;
            synchronized (shared) {
                others = shared.subList(0, shared.indexOf(this)).stream()
                        .filter(other -> other.hasClaimsOf(this))
                        .toList();
            }
            return others.isEmpty()
                    ? new UniqueCatalog()
                    : others.get(0).catalog.obtain();
        }

        private boolean hasClaimsOf(Shared other) {
            boolean oneCluster = !Collections.disjoint(
                    session.getMetadata().getNodes().keySet(),
                    other.session.getMetadata().getNodes().keySet());
            String configured =
                    bean(SchemaProperties.class, "there is no session").keyspace();
            return oneCluster && (configured != null || Objects.equals(keyspace(), other.keyspace()));
        }

        private @Nullable CqlIdentifier keyspace() {
            return session.getKeyspace().orElse(null);
        }

        private UniqueConstraints makeConstraints() {
            return primary
                    ? bean(
                            UniqueConstraints.class,
                            UniqueProperties.PREFIX + ".enabled=false switches unique values off")
                    : SurewriteUniqueAutoConfiguration.constraints(
                            session,
                            writes.obtain(),
                            schema.obtain(),
                            catalog.obtain(),
                            unique(),
                            beans.getBeanProvider(UniqueListener.class));
        }

        private AttributeJournal makeJournal() {
            String off = "surewrite.journal.enabled=true switches the journal on";
            return primary
                    ? bean(AttributeJournal.class, off)
                    : SurewriteJournalAutoConfiguration.journal(
                            session,
                            writes.obtain(),
                            schema.obtain(),
                            bean(JournalProperties.class, off),
                            beans.getBeanProvider(JournalListener.class));
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
        private final SingletonSupplier<OverwriteFactory> overwrites = SingletonSupplier.of(this::makeOverwrites);
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
        public OverwriteFactory overwriteFactory() {
            return overwrites.obtain();
        }

        private RowOverwrites makeBlocking() {
            if (!(template instanceof CassandraOperations operations)) {
                throw new IllegalStateException("The template is reactive: ask for reactiveRowOverwrites()");
            }
            boolean primary = beans.getBeanProvider(CassandraOperations.class).getIfUnique() == template;
            RowOverwrites bean =
                    primary ? beans.getBeanProvider(RowOverwrites.class).getIfUnique() : null;
            return bean != null ? bean : overwrites.obtain().rowOverwrites(operations);
        }

        private ReactiveRowOverwrites makeReactive() {
            if (!(template instanceof ReactiveCassandraOperations operations)) {
                throw new IllegalStateException("The template is not reactive: ask for rowOverwrites()");
            }
            boolean primary =
                    beans.getBeanProvider(ReactiveCassandraOperations.class).getIfUnique() == template;
            ReactiveRowOverwrites bean =
                    primary ? beans.getBeanProvider(ReactiveRowOverwrites.class).getIfUnique() : null;
            return bean != null ? bean : overwrites.obtain().reactiveRowOverwrites(operations);
        }

        private OverwriteFactory makeOverwrites() {
            return SurewriteOverwriteAutoConfiguration.factory(
                    session(),
                    converter(),
                    bean(OverwriteProperties.class, "there is no session"),
                    bean(ConsistencyProperties.class, "there is no session"),
                    parts.obtain().timestamps(),
                    beans.getBeanProvider(OverwriteListener.class),
                    beans.getBeanProvider(TablesInUse.class),
                    context);
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
