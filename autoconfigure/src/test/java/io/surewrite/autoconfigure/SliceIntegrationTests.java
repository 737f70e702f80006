package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import io.surewrite.schema.SurewriteSchema;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.cassandra.test.autoconfigure.DataCassandraTest;

/** The test slice knows nothing of us but what our own {@code .imports} file tells it. */
@DataCassandraTest
class SliceIntegrationTests {

    @Autowired
    private CqlSession session;

    @Autowired
    private SurewriteSchema schema;

    @Test
    void hasOurSessionDefaults() {
        assertThat(session.getContext().getProtocolVersion()).isEqualTo(DefaultProtocolVersion.V4);
    }

    @Test
    void hasTheTablesBecauseItsServerIsTheEmbeddedOne() {
        assertThat(session.execute("SELECT name FROM " + schema.table("lease"))).isEmpty();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}
}
