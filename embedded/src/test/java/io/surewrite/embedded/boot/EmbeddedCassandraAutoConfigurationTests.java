package io.surewrite.embedded.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.test.context.MergedContextConfiguration;

/** When it stays out of the way: no server starts here. */
class EmbeddedCassandraAutoConfigurationTests {

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(EmbeddedCassandraAutoConfiguration.class));

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.cassandra.contact-points=db.example.com",
                "spring.cassandra.contact-points[0]=db.example.com",
                "surewrite.embedded.enabled=false"
            })
    void staysOutOfTheWayOfConfiguredOnes(String property) {
        context.withPropertyValues(property)
                .run(it -> assertThat(it).hasNotFailed().doesNotHaveBean(CassandraConnectionDetails.class));
    }

    @Test
    void staysOutOfTheWayOfADriverFileThatNamesOne() throws Exception {
        Path file = Files.writeString(
                folder.resolve("driver.conf"), "datastax-java-driver.basic.contact-points = [\"db.example.com:9042\"]");
        context.withPropertyValues("spring.cassandra.config=" + file.toUri())
                .run(it -> assertThat(it).hasNotFailed().doesNotHaveBean(CassandraConnectionDetails.class));
    }

    @Test
    void staysOutOfWhatIsProcessedAheadOfTimeForProduction() {
        context.withSystemProperties("spring.aot.processing=true")
                .run(it -> assertThat(it).hasNotFailed().doesNotHaveBean(CassandraConnectionDetails.class));
    }

    @Test
    void isInTestsThatAreProcessedAheadOfTime() {
        context.withSystemProperties("spring.aot.processing=true")
                .withInitializer(it -> {
                    it.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
                    new EmbeddedCassandraTestCustomizer()
                            .customizeContext(it, new MergedContextConfiguration(getClass(), null, null, null, null));
                })
                .run(it -> assertThat(it.containsBeanDefinition("embeddedCassandraConnectionDetails"))
                        .isTrue());
    }

    @Test
    void saysInAFewLinesWhyItDidNotStart() {
        context.withPropertyValues("surewrite.embedded.java-home=" + folder).run(it -> {
            assertThat(it).hasFailed();
            FailureAnalysis analysis = new EmbeddedCassandraFailureAnalyzer().analyze(it.getStartupFailure());
            assertThat(analysis).isNotNull();
            assertThat(analysis.getDescription())
                    .startsWith("The embedded Cassandra did not start: Cassandra 5.0.9 runs on JDK 11, 17 or newer,")
                    .contains(folder.toString());
            assertThat(analysis.getAction())
                    .startsWith("Fix: ")
                    .contains("surewrite.embedded.java-home")
                    .contains("spring.cassandra.contact-points")
                    .endsWith("docs/troubleshooting.md#embeddedcassandraexception");
        });
    }
}
