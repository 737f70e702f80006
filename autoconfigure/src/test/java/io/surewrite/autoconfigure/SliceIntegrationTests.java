package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.schema.SurewriteSchema;
import io.surewrite.write.ConditionalWrites;
import io.surewrite.write.SureSessionBuilder;
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
        assertThat(SureSessionBuilder.built(session)).isTrue();
        assertThat(session.getContext().getConfig().getProfiles()).containsKey(ConditionalWrites.PROFILE);
    }

    @Test
    void hasTheTablesBecauseItsServerIsTheEmbeddedOne() {
        assertThat(session.execute("SELECT name FROM " + schema.table("lease"))).isEmpty();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}
}
