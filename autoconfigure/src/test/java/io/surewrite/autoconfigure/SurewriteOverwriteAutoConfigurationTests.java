package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.autoconfigure.SurewriteOverwriteAutoConfiguration.OverwriteProperties;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.overwrite.Overwrites.OverwriteSettings;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.repository.RepositoryOverwrites;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.util.unit.DataSize;

class SurewriteOverwriteAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SurewriteOverwriteAutoConfiguration.class, SurewriteJournalAutoConfiguration.class));

    @Test
    void staysAwayWithoutASession() {
        runner.withPropertyValues("surewrite.journal.enabled=true")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(RepositoryOverwrites.class)
                        .doesNotHaveBean(RowOverwrites.class)
                        .doesNotHaveBean(AttributeJournal.class));
    }

    @Test
    void staysAwayWithoutSpringDataCassandra() {
        runner.withClassLoader(new org.springframework.boot.test.context.FilteredClassLoader(CassandraOperations.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RepositoryOverwrites.class));
    }

    @Test
    void hasDefaultsThatRefuseWhatIsRisky() {
        OverwriteProperties defaults = new OverwriteProperties(false, DataSize.ofMegabytes(1), false);

        assertThat(defaults.settings(true)).isEqualTo(new OverwriteSettings(1 << 20, false, true));
    }
}
