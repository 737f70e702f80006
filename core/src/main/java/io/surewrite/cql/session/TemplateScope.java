package io.surewrite.cql.session;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.WriteScope;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.Advised;
import org.springframework.data.cassandra.ReactiveSession;
import org.springframework.data.cassandra.ReactiveSessionFactory;
import org.springframework.data.cassandra.SessionFactory;
import org.springframework.data.cassandra.core.AsyncCassandraTemplate;
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

    /**
     * Lets everything that a template sends take part in the scope, also from callbacks: it gets sessions that apply the
     * scope.
     *
     * @param template any template of Spring Data, or anything else
     * @return whether it takes part; false for what is no template, or sends in a way of its own
     */
    public static boolean enter(Object template) {
        if (template instanceof CassandraTemplate blocking) {
            return enter(blocking.getCqlOperations()) || sendsInScope(blocking.getCqlOperations());
        }
        if (template instanceof AsyncCassandraTemplate async) {
            return enter(async.getAsyncCqlOperations());
        }
        if (template instanceof CassandraAccessor accessor) {
            return enter(accessor);
        }
        return Reactive.PRESENT && Reactive.enter(template);
    }

    private static boolean enter(CassandraAccessor accessor) {
        SessionFactory sessions = accessor.getSessionFactory();
        if (sessions == null) {
            return false;
        }
        if (!(sessions instanceof Scoped)) {
            accessor.setSessionFactory(scoped(sessions));
        }
        return true;
    }

    /** Lets what is sent through a factory's sessions take part. */
    static SessionFactory scoped(SessionFactory sessions) {
        return sessions instanceof Scoped ? sessions : new Scoped(sessions);
    }

    private static boolean sendsInScope(CqlOperations operations) {
        CqlSession session = operations.execute((SessionCallback<CqlSession>) one -> one);
        return session instanceof ScopedCqlSession;
    }

    /**
     * Whether a template's session changes from call to call, so that it has none of its own.
     *
     * @param template any template of Spring Data
     * @return whether a factory of its sessions is one that routes
     */
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

        /** Of the last call: most factories have no other. */
        private @Nullable Last last;

        private record Last(CqlSession given, CqlSession scoped) {}

        private Scoped(SessionFactory sessions) {
            this.sessions = sessions;
        }

        SessionFactory sessions() {
            return sessions;
        }

        @Override
        public CqlSession getSession() {
            CqlSession given = sessions.getSession();
            Last known = last;
            if (known == null || known.given() != given) {
                known = new Last(given, ScopedCqlSession.of(behindLazy(given)));
                last = known;
            }
            return known.scoped();
        }

        /**
         * Boot gives its templates a proxy that looks the session's bean up when it is first used. From then on it does
         * nothing, by reflection and at every call. A proxy that does more stays.
         */
        private static CqlSession behindLazy(CqlSession given) {
            if (given instanceof Advised proxy && proxy.getAdvisorCount() == 0) {
                TargetSource source = proxy.getTargetSource();
                try {
                    if (source.getClass().getName().equals(LAZY)
                            && source.getTarget() instanceof CqlSession session
                            && source.getTarget() == session) { // no new one each time
                        return session;
                    }
                } catch (Exception unknown) {
                    return given; // whoever sends hears of it
                }
            }
            return given;
        }
    }

    /** Loaded only where Reactor is. */
    private static final class Reactive {

        static final boolean PRESENT =
                ClassUtils.isPresent("reactor.core.publisher.Mono", TemplateScope.class.getClassLoader());

        static boolean enter(Object template) {
            if (template instanceof ReactiveCassandraTemplate reactive) {
                return enter(reactive.getReactiveCqlOperations());
            }
            if (!(template instanceof ReactiveCassandraAccessor accessor) || accessor.getSessionFactory() == null) {
                return false;
            }
            ReactiveSessionFactory sessions = accessor.getSessionFactory();
            if (!(sessions instanceof ScopedReactive)) {
                accessor.setSessionFactory(new ScopedReactive(sessions));
            }
            return true;
        }

        private record ScopedReactive(ReactiveSessionFactory sessions) implements ReactiveSessionFactory {

            @Override
            public Mono<ReactiveSession> getSession() {
                return sessions.getSession().map(ScopedReactiveSession::of);
            }
        }
    }
}
