package io.surewrite.repository;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.internal.compat.TransactionalTables;
import io.surewrite.internal.session.SessionDecorator;
import io.surewrite.internal.session.SureLevel;
import io.surewrite.internal.session.TemplateScope;
import io.surewrite.internal.session.WeakPolicies;
import io.surewrite.lease.WithLease;
import io.surewrite.overwrite.OverwriteRepository;
import io.surewrite.overwrite.Overwriting;
import io.surewrite.overwrite.ReactiveOverwriteRepository;
import io.surewrite.overwrite.ReactiveRowOverwrites;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.repository.PlannedRepository.Mutation;
import io.surewrite.schema.TablesInUse;
import io.surewrite.session.SureSession;
import io.surewrite.session.SureSessions;
import io.surewrite.write.InvalidConfigurationException;
import io.surewrite.write.WriteOutcome;
import io.surewrite.write.WriteReceipt;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.ReactiveCassandraOperations;
import org.springframework.data.cassandra.repository.query.CassandraEntityInformation;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFactoryBean;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFragmentsContributor;
import org.springframework.data.cassandra.repository.support.ReactiveCassandraRepositoryFactoryBean;
import org.springframework.data.cassandra.repository.support.ReactiveCassandraRepositoryFragmentsContributor;
import org.springframework.data.repository.Repository;
import org.springframework.data.repository.core.NamedQueries;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.core.RepositoryMetadata;
import org.springframework.data.repository.core.support.PropertiesBasedNamedQueries;
import org.springframework.data.repository.core.support.RepositoryComposition.RepositoryFragments;
import org.springframework.data.repository.core.support.RepositoryFactoryBeanSupport;
import org.springframework.util.StringUtils;
import reactor.core.publisher.Flux;

/**
 * Plans every method of every repository when it is made. What was planned goes in front of all other advice; saves that
 * overwrite take the place of Spring Data's own, behind all other advice.
 */
public final class RepositoryAdviceRegistrar
        implements BeanPostProcessor, PriorityOrdered, BeanFactoryAware, SmartInitializingSingleton, Refusals.LastLook {

    public static final String NAMED_QUERIES = "namedQueries";

    private static final String FIX = "change that, or take the annotation away";

    private static final EarlyBeans.Why OF_ANOTHER_STORE = new EarlyBeans.Why(
            "its repository is no repository of Spring Data Cassandra, so that nothing would heed it", FIX);

    private static final EarlyBeans.Why WITHOUT_SESSION = new EarlyBeans.Why(
            "its repository is in an application without a CqlSession bean, so that nothing would heed it", FIX);

    private final Supplier<@Nullable SureSessions> sessions;
    private final Supplier<List<RepositoryMethodAdvice>> advices;
    private final Supplier<@Nullable RepositoryOverwrites> overwrites;
    private final BooleanSupplier savesOverwrite;
    private final Refusals refusals;
    private final MixedWrites mixed;
    private final Runnable tables;

    /** The factories that were seen, and whether anything was planned for their repositories. */
    private final Map<Object, Boolean> planned = Collections.synchronizedMap(new IdentityHashMap<>());

    private @Nullable ConfigurableListableBeanFactory beans;
    private @Nullable EarlyBeans early;

    /** What it is given is asked when a repository is made; tables are made before one is planned whose table is looked at. */
    public RepositoryAdviceRegistrar(
            Supplier<@Nullable SureSessions> sessions,
            Supplier<List<RepositoryMethodAdvice>> advices,
            Supplier<@Nullable RepositoryOverwrites> overwrites,
            BooleanSupplier savesOverwrite,
            Runnable tables,
            Refusals refusals) {
        this.sessions = sessions;
        this.advices = advices;
        this.overwrites = overwrites;
        this.savesOverwrite = savesOverwrite;
        this.tables = tables;
        this.refusals = refusals;
        this.mixed = new MixedWrites(refusals);
    }

    /** Among the first: what Spring makes early may take a repository along. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE + 100;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = (ConfigurableListableBeanFactory) beanFactory;
        this.early = new EarlyBeans(beans);
    }

    /** Plans a repository that is there, and puts nothing around it. One without a session is of another store. */
    public void look(RepositoryFactoryBeanSupport<?, ?, ?> bean, @Nullable SureSession own) {
        Planner planner = new Planner();
        if (own == null) {
            requireNothing(bean.getObjectType(), OF_ANOTHER_STORE, planner.look::refuse);
            return;
        }
        RepositoryInformation repository = bean.getRepositoryInformation();
        NamedQueries named = Planner.namedQueries(bean);
        planner.addFragment(repository, own);
        planner.look.run(() -> planner.advise(new ProxyFactory(), repository, named, own));
        PlannedRepository plain = new PlannedRepository(repository, named, own, false);
        for (RepositoryMethodAdvice advice : advices.get()) {
            if (advice instanceof IdempotentRepositoryAdvice retry) {
                planner.look.run(() -> retry.look(plain, refusals));
            }
        }
    }

    /** Spring Data shows the template of a repository to those who contribute fragments, before it makes the proxy. */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (early != null) {
            early.seen();
        }
        if (bean instanceof RepositoryFactoryBeanSupport<?, ?, ?>) {
            planned.put(bean, false);
        }
        if (bean instanceof CassandraRepositoryFactoryBean<?, ?, ?> factory) {
            factory.setRepositoryFragmentsContributor(
                    factory.getRepositoryFragmentsContributor().andThen(new Planner(factory)));
        } else if (bean instanceof ReactiveCassandraRepositoryFactoryBean<?, ?, ?> factory) {
            factory.setRepositoryFragmentsContributor(
                    factory.getRepositoryFragmentsContributor().andThen(new Planner(factory)));
        } else if (bean instanceof RepositoryFactoryBeanSupport<?, ?, ?> another) {
            Refusals.Look look = refusals.look();
            requireNothing(another.getObjectType(), OF_ANOTHER_STORE, look::refuse);
            another.addRepositoryFactoryCustomizer(
                    factory -> factory.addRepositoryProxyPostProcessor((proxy, repository) -> look.close(proxy)));
        }
        return bean;
    }

    @Override
    public void afterSingletonsInstantiated() {
        mixed.start();
    }

    @Override
    public void lookAtAll() {
        if (beans != null && early != null) {
            for (String name : early.all()) {
                Object bean = beans.getSingleton(name);
                if (bean != null && early.has(name)) {
                    TemplateScope.enter(bean); // no post-processor has seen it
                }
                if (bean instanceof RepositoryFactoryBeanSupport<?, ?, ?> factory) {
                    Boolean has = planned.get(factory);
                    if (has == null || (has && isBare(beans.getBean(name)))) {
                        requireAdvice(factory.getObjectType(), early.why(name));
                    }
                } else if (bean instanceof Repository<?, ?> && isBare(bean)) {
                    for (Class<?> type : AopProxyUtils.proxiedUserInterfaces(bean)) {
                        requireAdvice(type, early.why(name));
                    }
                } else if (bean == null && early.have(name)) { // one of many was made early
                    Class<?> type = beans.getType(name, false);
                    if (type != null && Repository.class.isAssignableFrom(type)) {
                        requireAdvice(type, early.why(name));
                    }
                }
            }
        }
    }

    /** Something that was wrapped by others, and shows no advisors, may have ours inside. */
    private static boolean isBare(Object repository) {
        return repository instanceof Advised && !hasPlans(MethodInterceptor.class, repository);
    }

    private void requireAdvice(Class<?> repository, EarlyBeans.Why why) {
        requireNothing(repository, why, refusals::addUnlessRefused);
        for (Method method : repository.getMethods()) {
            if (PlannedBeans.find(WithLease.class, method, repository) != null) {
                refusals.addUnlessRefused(LeasedMethod.refused(method, why.toString()));
            }
        }
        if (saveOverwrites(repository)) {
            refusals.addUnlessRefused(overwriting(
                    repository, "%s is to save by overwriting: %s.".formatted(repository.getSimpleName(), why)));
        }
    }

    private static InvalidConfigurationException overwriting(Class<?> repository, String problem) {
        return new InvalidConfigurationException(
                repository.getSimpleName(),
                problem,
                "Change the table as the message says, or let the repository save without overwriting: @Overwriting(false), or surewrite.overwrite.on-save=false for all.",
                "overwrites");
    }

    private boolean saveOverwrites(Class<?> repository) {
        Overwriting annotation = AnnotatedElementUtils.findMergedAnnotation(repository, Overwriting.class);
        return annotation == null ? savesOverwrite.getAsBoolean() : annotation.value();
    }

    private static void requireNothing(
            Class<?> repository, EarlyBeans.Why why, Consumer<InvalidConfigurationException> refused) {
        for (Method method : repository.getMethods()) {
            if (IdempotentPlans.annotation(method, repository) != null) {
                refused.accept(IdempotentPlans.refused(
                        IdempotentPlans.operation(method, repository), List.of(why.toString())));
            }
        }
        if (RepositoryConstraints.isAnnotated(repository)) {
            refused.accept(RepositoryConstraints.wrong(
                    repository.getSimpleName(), why.problem(), StringUtils.capitalize(why.fix()) + "."));
        }
    }

    static boolean hasPlans(Class<? extends MethodInterceptor> kind, Object bean) {
        return bean instanceof Advised repository
                && Arrays.stream(repository.getAdvisors())
                        .anyMatch(advisor -> advisor instanceof Planned && kind.isInstance(advisor.getAdvice()));
    }

    /** Plans one repository, in two steps: its template is known before its proxy. */
    private final class Planner
            implements CassandraRepositoryFragmentsContributor, ReactiveCassandraRepositoryFragmentsContributor {

        private final Refusals.Look look = refusals.look();
        private volatile @Nullable SureSession own;

        @Override
        public RepositoryFragments contribute(
                RepositoryMetadata repository,
                CassandraEntityInformation<?, ?> entity,
                CassandraOperations operations) {
            return composed(repository, all -> all.of(operations));
        }

        @Override
        public RepositoryFragments contribute(
                RepositoryMetadata repository,
                CassandraEntityInformation<?, ?> entity,
                ReactiveCassandraOperations operations) {
            return composed(repository, all -> all.of(operations));
        }

        @Override
        public RepositoryFragments describe(RepositoryMetadata repository) {
            return RepositoryFragments.empty();
        }

        private RepositoryFragments composed(RepositoryMetadata repository, Function<SureSessions, SureSession> find) {
            SureSessions all = sessions.get();
            if (all == null) {
                requireNothing(repository.getRepositoryInterface(), WITHOUT_SESSION, look::refuse);
            } else {
                SureSession found = find.apply(all);
                own = found;
                addFragment(repository, found);
            }
            return RepositoryFragments.empty();
        }

        private void addFragment(RepositoryMetadata repository, SureSession found) {
            Class<?> type = repository.getRepositoryInterface();
            Supplier<?> its = OverwriteRepository.class.isAssignableFrom(type)
                    ? found::rowOverwrites
                    : ReactiveOverwriteRepository.class.isAssignableFrom(type) ? found::reactiveRowOverwrites : null;
            RepositoryOverwrites fragments = overwrites.get();
            if (fragments != null && its != null) {
                fragments.add(repository, its);
            }
        }

        Planner() {}

        Planner(RepositoryFactoryBeanSupport<?, ?, ?> bean) {
            bean.addRepositoryFactoryCustomizer(factory ->
                    factory.addRepositoryProxyPostProcessor((proxy, repository) -> {
                        SureSession found = own;
                        if (found != null) {
                            look.run(() -> advise(proxy, repository, namedQueries(bean), found));
                            planned.put(bean, hasPlans(MethodInterceptor.class, proxy));
                        }
                        look.close(proxy);
                    }));
        }

        /** Spring Data hands them to nobody before it has made its queries of them. */
        private static NamedQueries namedQueries(RepositoryFactoryBeanSupport<?, ?, ?> bean) {
            Object queries = new DirectFieldAccessor(bean).getPropertyValue(NAMED_QUERIES);
            return queries == null ? PropertiesBasedNamedQueries.EMPTY : (NamedQueries) queries;
        }

        private void advise(
                ProxyFactory proxy, RepositoryInformation repository, NamedQueries named, SureSession found) {
            Class<?> type = repository.getRepositoryInterface();
            PlannedRepository planned = new PlannedRepository(repository, named, found, saveOverwrites(type));
            boolean savesByOverwriting = overwrites.get() != null && planned.savesOverwrite();
            boolean sure = planned.isGuarded() || IdempotentPlans.isAnnotated(type);
            if (sure) {
                if (!SessionDecorator.isReal(found.session())) {
                    return; // a mock, as in a test: the repository is Spring Data's own
                }
                tables.run();
            }
            if (planned.hasOverwrites()) {
                look.run(() -> requireOverwrites(planned));
            }
            int position = 0;
            for (RepositoryMethodAdvice advice : advices.get()) {
                Function<Method, @Nullable MethodInterceptor> planning = look.at(() -> advice.plan(planned));
                if (planning != null) {
                    position = add(proxy, position, plan(repository, planning));
                }
            }
            if (sure) { // innermost: inside a retry, the scope says the level
                add(proxy, position, plan(repository, method -> RetriedMethod.saying(method, SureLevel.READS, true)));
            }
            for (Method method : type.getMethods()) {
                look.run(() -> mixed.note(planned, method));
            }
            if (savesByOverwriting) {
                boolean reactive = repository.isReactiveRepository();
                MethodInterceptor save = invocation -> save(found, reactive, invocation);
                Map<Method, MethodInterceptor> saves =
                        plan(repository, method -> planned.mutation(method) == Mutation.SAVE ? save : null);
                if (!saves.isEmpty()) {
                    look.run(() -> requireSaves(planned));
                    add(proxy, proxy.getAdvisorCount(), saves);
                }
            }
            add(
                    proxy,
                    proxy.getAdvisorCount(),
                    plan(repository, method -> repository.isQueryMethod(method) ? answer(method) : null));
        }

        private static @Nullable MethodInterceptor answer(Method method) {
            if (ConditionalText.answer(method) == WriteOutcome.class) {
                return ConditionalRepositoryAdvice::outcome;
            }
            return method.getReturnType() == WriteReceipt.class ? RepositoryAdviceRegistrar::receipt : null;
        }

        private void requireSaves(PlannedRepository planned) {
            requireOverwrites(planned);
            String reason = planned.own()
                    .overwriteFactory()
                    .reasonAgainst(planned.entity().getType());
            if (reason != null) {
                throw overwriting(
                        planned.type(),
                        "%s saves by overwriting, which is refused: %s"
                                .formatted(planned.type().getSimpleName(), reason));
            }
        }

        private static int add(ProxyFactory proxy, int position, Map<Method, MethodInterceptor> plans) {
            int next = position;
            for (Map.Entry<Method, MethodInterceptor> plan : plans.entrySet()) {
                proxy.addAdvisor(next++, new Planned(plan.getKey(), plan.getValue()));
            }
            return next;
        }

        private Map<Method, MethodInterceptor> plan(
                RepositoryInformation repository, Function<Method, @Nullable MethodInterceptor> planning) {
            Map<Method, MethodInterceptor> plans = new HashMap<>();
            for (Method method : repository.getRepositoryInterface().getMethods()) {
                MethodInterceptor plan =
                        Modifier.isStatic(method.getModifiers()) ? null : look.at(() -> planning.apply(method));
                if (plan != null) {
                    plans.put(method, plan);
                }
            }
            return plans;
        }

        /** What is wrong with its session, server or table ends the start, and not the first overwrite. */
        private void requireOverwrites(PlannedRepository planned) {
            CqlSession session = planned.own().session();
            String user = "Overwrites of " + planned.type().getSimpleName();
            if (!refusals.areReported()) { // policies are looked at by themselves there
                String name = planned.own().name();
                WeakPolicies.require(user, name == null ? session.getName() : name, session);
            }
            TransactionalTables transactional = TransactionalTables.of(session.getContext());
            planned.table()
                    .filter(table -> transactional.await())
                    .map(table -> transactional.problem(table.getKeyspace(), table.getName()))
                    .ifPresent(problem -> {
                        throw TablesInUse.refused(user, problem);
                    });
        }
    }

    /** What was planned for a method. Spring remembers which of these are in the way of a call, and asks no other. */
    private static final class Planned extends StaticMethodMatcherPointcutAdvisor {

        private final transient Method method;

        Planned(Method method, MethodInterceptor plan) {
            super(plan);
            this.method = method;
        }

        @Override
        public boolean matches(Method called, Class<?> repository) {
            return BridgeMethodResolver.findBridgedMethod(called).equals(method); // that is what will run
        }
    }

    /** A query has no receipt. Spring Data refuses a null from a repository that is null-marked, and looks at it outside of this. */
    private static Object receipt(MethodInvocation invocation) throws Throwable {
        Object returned = invocation.proceed();
        return returned == null ? WriteReceipt.WRITTEN : returned;
    }

    /** Saves by overwriting; a null is left to Spring Data to refuse. */
    private static @Nullable Object save(SureSession own, boolean reactive, MethodInvocation invocation)
            throws Throwable {
        Object given = invocation.getArguments()[0];
        if (given == null) {
            return invocation.proceed();
        }
        boolean one = invocation.getMethod().getName().equals("save");
        if (!reactive) {
            RowOverwrites overwrites = own.rowOverwrites();
            return one ? overwrites.overwrite(given) : overwrites.overwriteAll((Iterable<?>) given);
        }
        ReactiveRowOverwrites overwrites = own.reactiveRowOverwrites();
        Publisher<?> saved = one
                ? overwrites.overwrite(given)
                : given instanceof Iterable<?> all
                        ? overwrites.overwriteAll(all)
                        : Flux.<Object>from(adapter(given.getClass()).toPublisher(given))
                                .concatMap(overwrites::overwrite);
        return adapter(Signature.returnType(invocation.getMethod())).fromPublisher(saved);
    }

    private static ReactiveAdapter adapter(Class<?> type) {
        return Objects.requireNonNull(RetriedMethod.reactive(type), "It is no stream");
    }
}
