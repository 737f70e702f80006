package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.VERSION_UNAVAILABLE;

import eu.maveniverse.maven.mima.context.Context;
import eu.maveniverse.maven.mima.context.ContextOverrides;
import eu.maveniverse.maven.mima.runtime.standalonestatic.StandaloneStaticRuntime;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.graph.DependencyFilter;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;
import org.eclipse.aether.util.artifact.JavaScopes;
import org.eclipse.aether.util.filter.DependencyFilterUtils;
import org.jspecify.annotations.Nullable;

/** Resolves Cassandra as Maven would: with the user's settings, mirrors, proxies, local repository and offline mode. */
final class MavenResolver {

    static final String OFFLINE_PROPERTY = "surewrite.embedded.offline";

    private final @Nullable Path mavenHome;

    /** Uses the settings in {@code .m2} of the user's home, as Maven does. */
    MavenResolver() {
        this(null);
    }

    /** Uses the settings in another directory. */
    MavenResolver(@Nullable Path mavenHome) {
        this.mavenHome = mavenHome;
    }

    /** What tells one local repository from another without loading Maven's settings. */
    String localRepositoryHint() {
        return System.getProperty("maven.repo.local", System.getProperty("user.home", ""));
    }

    List<Path> resolve(String version) {
        DownloadProgress progress = new DownloadProgress(version);
        ContextOverrides.Builder overrides =
                ContextOverrides.create().withUserSettings(true).transferListener(progress);
        if (mavenHome != null) {
            overrides.withMavenUserHomeOverride(mavenHome);
        }
        if (Boolean.getBoolean(OFFLINE_PROPERTY)) {
            overrides.offline(true);
        }
        try (Context maven = new StandaloneStaticRuntime().create(overrides.build())) {
            return resolve(maven, version);
        } finally {
            progress.finish();
        }
    }

    private static List<Path> resolve(Context maven, String version) {
        Dependency cassandra = new Dependency(
                new DefaultArtifact("org.apache.cassandra:cassandra-all:" + version), JavaScopes.RUNTIME);
        DependencyFilter runtime = DependencyFilterUtils.classpathFilter(JavaScopes.RUNTIME);
        DependencyRequest request =
                new DependencyRequest(new CollectRequest(cassandra, maven.remoteRepositories()), runtime);
        try {
            return maven
                    .repositorySystem()
                    .resolveDependencies(maven.repositorySystemSession(), request)
                    .getArtifactResults()
                    .stream()
                    .map(ArtifactResult::getArtifact)
                    .filter(artifact -> artifact.getExtension().equals("jar"))
                    .map(artifact -> artifact.getFile().toPath().toAbsolutePath())
                    .toList();
        } catch (DependencyResolutionException e) {
            throw unavailable(maven, version, e);
        }
    }

    private static EmbeddedCassandraException unavailable(
            Context maven, String version, DependencyResolutionException e) {
        boolean offline = maven.repositorySystemSession().isOffline();
        List<String> repositories = maven.remoteRepositories().stream()
                .map(RemoteRepository::getUrl)
                .toList();
        String message = "Cannot resolve org.apache.cassandra:cassandra-all:%s from %s%s: %s"
                .formatted(
                        version,
                        maven.repositorySystemSession().getLocalRepository().getBasedir(),
                        offline ? " (Maven is offline)" : " and " + String.join(", ", repositories),
                        e.getMessage());
        String action = offline
                ? "Go online once, so that this version is downloaded, or choose one that is in the local repository"
                        + " with surewrite.embedded.version."
                : "Check surewrite.embedded.version (default " + Options.DEFAULT_VERSION
                        + "), and the mirrors and proxies of Maven's settings.xml.";
        return new EmbeddedCassandraException(VERSION_UNAVAILABLE, message, action, e);
    }
}
