package io.surewrite.internal.session;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.write.WriteScope;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.Advised;
import org.springframework.data.cassandra.ReactiveSession;
import org.springframework.data.cassandra.ReactiveSessionFactory;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.AsyncCassandraTemplate;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.cql.CassandraAccessor;
import org.springframework.data.cassandra.core.cql.CqlOperations;
import org.springframework.data.cassandra.core.cql.ReactiveCassandraAccessor;
import org.springframework.data.cassandra.core.cql.SessionCallback;
import org.springframework.data.cassandra.core.cql.session.lookup.AbstractRoutingSessionFactory;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/** Brings the templates of Spring Data, wherever they are made, into the {@link WriteScope}. */
public final class TemplateScope {

    private TemplateScope() {}

    public static boolean enter(Object template) {
        return enter(template, null);
    }

    /**
     * Lets everything that a template sends, also from callbacks, take part in the scope, and go by guards if there are any;
     * false for what is no template, or sends in a way of its own.
     */
    public static boolean enter(Object template, @Nullable StatementGuards guards) {
        if (template instanceof CassandraOperations blocking) {
            return enter(blocking.getCqlOperations(), guards)
                    || (guards == null && sendsInScope(blocking.getCqlOperations()));
        }
        if (template instanceof AsyncCassandraTemplate async) {
            return enter(async.getAsyncCqlOperations(), guards);
        }
        if (template instanceof CassandraAccessor accessor) {
            return enter(accessor, guards);
        }
        return Reactive.PRESENT && Reactive.enter(template, guards);
    }

    private static boolean enter(CassandraAccessor accessor, @Nullable StatementGuards guards) {
        SessionFactory sessions = accessor.getSessionFactory();
        if (sessions == null) {
            return false;
        }
        if (!(sessions instanceof Scoped scoped) || (guards != null && scoped.guards != guards)) {
            accessor.setSessionFactory(new Scoped(scopedOf(sessions), guards));
        }
        return true;
    }

    private static SessionFactory scopedOf(SessionFactory sessions) {
        return sessions instanceof Scoped scoped ? scoped.sessions : sessions;
    }

    private static boolean sendsInScope(CqlOperations operations) {
        CqlSession session = operations.execute((SessionCallback<CqlSession>) one -> one);
        return session instanceof ScopedCqlSession;
    }

    /** Whether a template's session changes from call to call, so that it has none of its own. */
    public static boolean isRouting(Object template) {
        Object operations = template instanceof CassandraTemplate blocking ? blocking.getCqlOperations() : template;
        return operations instanceof CassandraAccessor accessor && routes(accessor.getSessionFactory());
    }

    private static boolean routes(@Nullable SessionFactory sessions) {
        return sessions instanceof Scoped scoped
                ? routes(scoped.sessions())
                : sessions instanceof AbstractRoutingSessionFactory;
    }

    private static final class Scoped implements SessionFactory {

        private static final String LAZY =
                "org.springframework.context.annotation.ContextAnnotationAutowireCandidateResolver$LazyDependencyTargetSource";

        private final SessionFactory sessions;
        private final @Nullable StatementGuards guards;

        /** Of the last call: most factories have no other. */
        private @Nullable Last last;

        /**
         * @param given by the factory
         * @param bean what is behind it if it is a proxy that only looks a bean up
         * @param session what it stood for
         */
        private record Last(CqlSession given, @Nullable TargetSource bean, CqlSession session, CqlSession scoped) {}

        private Scoped(SessionFactory sessions, @Nullable StatementGuards guards) {
            this.sessions = sessions;
            this.guards = guards;
        }

        SessionFactory sessions() {
            return sessions;
        }

        @Override
        public CqlSession getSession() {
            CqlSession given = sessions.getSession();
            Last known = last;
            TargetSource bean = known != null && known.given() == given ? known.bean() : beanBehind(given);
            CqlSession session = bean == null ? given : behind(bean, given);
            if (known == null || known.given() != given || known.session() != session) {
                known = new Last(given, bean, session, ScopedCqlSession.of(session, guards));
                last = known;
            }
            return known.scoped();
        }

        /**
         * Boot gives its templates a proxy that looks the session's bean up. It does nothing else, by reflection and for each
         * of a call's dozen requests, where one look is enough. A proxy that does more stays.
         */
        private static CqlSession behind(TargetSource bean, CqlSession given) {
            try {
                return bean.getTarget() instanceof CqlSession session ? session : given;
            } catch (Exception unknown) {
                return given; // the sender is told
            }
        }

        private static @Nullable TargetSource beanBehind(CqlSession session) {
            return session instanceof Advised proxy
                            && proxy.getAdvisorCount() == 0
                            && proxy.getTargetSource().getClass().getName().equals(LAZY)
                    ? proxy.getTargetSource()
                    : null;
        }
    }

    /** Loaded only where Reactor is. */
    private static final class Reactive {

        static final boolean PRESENT =
                ClassUtils.isPresent("reactor.core.publisher.Mono", TemplateScope.class.getClassLoader());

        static boolean enter(Object template, @Nullable StatementGuards guards) {
            if (template instanceof ReactiveCassandraTemplate reactive) {
                return enter(reactive.getReactiveCqlOperations(), guards);
            }
            if (!(template instanceof ReactiveCassandraAccessor accessor) || accessor.getSessionFactory() == null) {
                return false;
            }
            ReactiveSessionFactory sessions = accessor.getSessionFactory();
            if (!(sessions instanceof ScopedReactive scoped) || (guards != null && scoped.guards() != guards)) {
                accessor.setSessionFactory(new ScopedReactive(
                        sessions instanceof ScopedReactive before ? before.sessions() : sessions, guards));
            }
            return true;
        }

        private record ScopedReactive(
                ReactiveSessionFactory sessions, @Nullable StatementGuards guards) implements ReactiveSessionFactory {

            @Override
            public Mono<ReactiveSession> getSession() {
                return sessions.getSession().map(session -> ScopedReactiveSession.of(session, guards));
            }
        }
    }
}
