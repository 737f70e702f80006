package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.surewrite.journal.BucketLength;
import io.surewrite.journal.JournalSettings;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The attribute journal.
 *
 * @param enabled whether there is one; it needs two tables
 * @param entriesAMonth how many values the busiest entity gets in a month; decides how much time a partition covers, and
 *     so cannot be changed much once the journal has entries
 * @param consistency of reads and writes; two quorums must meet
 */
@ConfigurationProperties("surewrite.journal")
public record JournalProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("10000") long entriesAMonth,
        @DefaultValue("quorum") DefaultConsistencyLevel consistency) {

    JournalSettings settings() {
        return new JournalSettings(BucketLength.forEstimate(entriesAMonth), consistency);
    }
}
