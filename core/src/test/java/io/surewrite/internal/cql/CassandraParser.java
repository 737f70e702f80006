package io.surewrite.internal.cql;

import eu.maveniverse.maven.mima.context.Context;
import eu.maveniverse.maven.mima.context.ContextOverrides;
import eu.maveniverse.maven.mima.runtime.standalonestatic.StandaloneStaticRuntime;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;
import org.eclipse.aether.util.artifact.JavaScopes;
import org.eclipse.aether.util.filter.DependencyFilterUtils;
import org.jspecify.annotations.Nullable;

/**
 * Cassandra's own parser, in a class loader that shares nothing with the application but the JDK: its jars must never
 * be on our class path.
 */
public final class CassandraParser implements AutoCloseable {

    private static final String PACKAGE = "org.apache.cassandra.cql3.";

    private final URLClassLoader loader;
    private final Method parse;
    private final Object rule;

    public CassandraParser(String version) {
        loader = new URLClassLoader("cassandra", jars(version), ClassLoader.getPlatformClassLoader());
        try {
            Class<?> function = loader.loadClass(PACKAGE + "CQLFragmentParser$CQLParserFunction");
            Method query = loader.loadClass(PACKAGE + "CqlParser").getMethod("query");
            parse = loader.loadClass(PACKAGE + "CQLFragmentParser")
                    .getMethod("parseAnyUnhandled", function, String.class);
            rule = Proxy.newProxyInstance(
                    loader, new Class<?>[] {function}, (proxy, method, arguments) -> query.invoke(arguments[0]));
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    public boolean accepts(String cql) {
        return parse(cql) != null;
    }

    /** What the parser makes of a statement, a {@code CQLStatement.Raw}; null if it refuses it. */
    @Nullable
    Object parse(String cql) {
        try {
            return parse.invoke(null, rule, cql);
        } catch (InvocationTargetException refused) {
            if (refused.getCause() instanceof LinkageError broken) {
                throw broken;
            }
            return null;
        } catch (IllegalAccessException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }

    private static URL[] jars(String version) {
        try (Context maven = new StandaloneStaticRuntime()
                .create(ContextOverrides.create().withUserSettings(true).build())) {
            Dependency cassandra = new Dependency(
                    new DefaultArtifact("org.apache.cassandra:cassandra-all:" + version), JavaScopes.RUNTIME);
            DependencyRequest request = new DependencyRequest(
                    new CollectRequest(cassandra, maven.remoteRepositories()),
                    DependencyFilterUtils.classpathFilter(JavaScopes.RUNTIME));
            List<URL> jars = new ArrayList<>();
            for (ArtifactResult result : maven.repositorySystem()
                    .resolveDependencies(maven.repositorySystemSession(), request)
                    .getArtifactResults()) {
                jars.add(result.getArtifact().getFile().toURI().toURL());
            }
            return jars.toArray(URL[]::new);
        } catch (DependencyResolutionException | MalformedURLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
