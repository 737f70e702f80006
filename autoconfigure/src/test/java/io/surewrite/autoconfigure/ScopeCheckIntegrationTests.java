package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ProcessedApplication;
import io.surewrite.test.CassandraTest;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.support.GenericApplicationContext;

/** What is said of beans that send by a session themselves in an application that was processed ahead of time. */
@ExtendWith(OutputCaptureExtension.class)
class ScopeCheckIntegrationTests extends CassandraTest {

    @Test
    void namesThoseThatTakeNoCareAheadOfTime(CapturedOutput output, @TempDir Path directory) throws Exception {
        try (GenericApplicationContext context = new AheadOfTime(directory)
                .process(
                        ProcessedApplication.class,
                        one -> TestPropertyValues.of(connection()).applyTo(one))) {
            context.refresh();
            assertThat(output)
                    .contains("Some statements do not take part in retried writes")
                    .contains("bean 'byConstructor' uses the session 'cassandraSession' itself")
                    .contains("bean 'byField' uses the session 'cassandraSession' itself")
                    .contains("bean 'byMethod' uses the session 'cassandraSession' itself")
                    .doesNotContain("bean 'applying'")
                    .doesNotContain("bean 'scoping'");
            assertThat(context.getBean(ProcessedApplication.Applying.class).isThere())
                    .isTrue();
            assertThat(context.getBean(ProcessedApplication.Scoping.class).isThere())
                    .isTrue();
        }
    }
}
