package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.internal.compat.WholeFrameCodec;
import io.surewrite.test.CassandraTest;
import io.surewrite.write.SureSessionBuilder;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.data.cassandra.config.AbstractCassandraConfiguration;
import org.springframework.data.cassandra.config.SessionBuilderConfigurer;

@ExtendWith(OutputCaptureExtension.class)
class SessionConfigurationIntegrationTests extends CassandraTest {

    private static final String COMPLAINT = "makes writes less sure";

    @ParameterizedTest
    @CsvSource({"none,V5", "lz4,V5", "snappy,V4"})
    void carriesCellsPagesAndColumnsWhateverTheCompression(
            String compression, DefaultProtocolVersion version, CapturedOutput output) {
        String table = "large_" + compression;
        application()
                .withPropertyValues("spring.cassandra.compression=" + compression)
                .withSystemProperties(
                        compression.equals("snappy")
                                ? new String[] {"datastax-java-driver.advanced.protocol.version=V4"}
                                : new String[0])
                .run(context -> {
                    CqlSession own = context.getBean(CqlSession.class);
                    assertThat(own.getContext().getProtocolVersion()).isEqualTo(version);
                    own.execute("CREATE TABLE %s (p int, c int, v text, PRIMARY KEY (p, c))".formatted(table));
                    PreparedStatement insert =
                            own.prepare("INSERT INTO %s (p, c, v) VALUES (1, ?, ?)".formatted(table));
                    List<String> values = IntStream.range(0, 7)
                            .mapToObj(c -> text(c, 400_000))
                            .toList();
                    for (int c = 0; c < values.size(); c++) {
                        own.execute(insert.bind(c, values.get(c)));
                    }
                    List<Row> rows = own.execute(own.prepare("SELECT * FROM %s WHERE p = 1".formatted(table))
                                    .bind()
                                    .setPageSize(2))
                            .all();
                    assertThat(rows).extracting(row -> row.getString("v")).isEqualTo(values);
                    bringsColumnsAlong(own, "asked_" + compression);
                });
        assertThat(output).doesNotContain(COMPLAINT);
    }

    private static void bringsColumnsAlong(CqlSession own, String table) {
        own.execute("CREATE TABLE %s (id int PRIMARY KEY, street text)".formatted(table));
        own.execute("INSERT INTO %s (id, street) VALUES (1, 'Bahnhofstrasse')".formatted(table));
        PreparedStatement query = own.prepare("SELECT id, street FROM %s WHERE id = 1".formatted(table));
        int answerWithColumns = answerSize(own, query);
        WholeFrameCodec.withoutColumns(own, query);
        assertThat(answerSize(own, query)).isLessThan(answerWithColumns - "street".length());
        assertThat(own.execute(query.bind()))
                .extracting(row -> row.getInt(0) + row.getString("street"))
                .containsExactly("1Bahnhofstrasse");
        own.execute("ALTER TABLE %s ADD country text".formatted(table)); // of which a plain session would be told
    }

    private static int answerSize(CqlSession session, PreparedStatement query) {
        return session.execute(query.bind()).getExecutionInfo().getResponseSizeInBytes();
    }

    @Test
    void saysOnceWhatASessionLacksThatItCouldNotConfigure(CapturedOutput output) {
        ownSession().run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output.toString().split(COMPLAINT, -1)).hasSize(2);
            assertThat(output)
                    .contains("The Cassandra session 'ownSession'")
                    .contains("It was built by the plain driver, and speaks protocol V5: it drops the connection")
                    .contains("SureSessionBuilder.from(CqlSession.builder()...).build()")
                    .contains("getSessionBuilderConfigurer() to return SureSessionBuilder::from");
        });
    }

    @Test
    void theAdviceToAnAbstractCassandraConfigurationWorks(CapturedOutput output) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SurewriteSessionAutoConfiguration.class))
                .withUserConfiguration(OwnConfiguration.class)
                .run(context -> {
                    CqlSession own = context.getBean(CqlSession.class);
                    assertThat(SureSessionBuilder.built(own)).isTrue();
                    assertThat(own.getKeyspace()).isEqualTo(session.getKeyspace());
                    assertThat(output).doesNotContain("built by the plain driver");
                });
    }

    private static String text(int seed, int length) {
        Random random = new Random(seed);
        return random.ints(length, 'a', 'e')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static ApplicationContextRunner ownSession() {
        String quick = """

                datastax-java-driver.basic.request.timeout = 30 seconds
                datastax-java-driver.advanced {
                  metadata.schema.debouncer.window = 1 millisecond
                  netty { io-group.shutdown.quiet-period = 0, admin-group.shutdown.quiet-period = 0 }
                }
                """;
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SurewriteSessionAutoConfiguration.class))
                .withBean(
                        "ownSession",
                        CqlSession.class,
                        () -> CqlSession.builder()
                                .addContactPoint(keyspace.server().contactPoint())
                                .withLocalDatacenter(keyspace.server().localDatacenter())
                                .withKeyspace(keyspace.name())
                                .withConfigLoader(DriverConfigLoader.fromString(quick))
                                .build());
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnConfiguration extends AbstractCassandraConfiguration {

        @Override
        protected String getKeyspaceName() {
            return keyspace.name();
        }

        @Override
        protected String getLocalDataCenter() {
            return keyspace.server().localDatacenter();
        }

        @Override
        protected int getPort() {
            return keyspace.server().contactPoint().getPort();
        }

        @Override
        protected Resource getDriverConfigurationResource() {
            return new ClassPathResource("io/surewrite/test/driver.conf");
        }

        @Override
        protected SessionBuilderConfigurer getSessionBuilderConfigurer() {
            return SureSessionBuilder::from;
        }
    }
}
