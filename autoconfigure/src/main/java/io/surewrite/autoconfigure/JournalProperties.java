package io.surewrite.autoconfigure;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.surewrite.journal.JournalSettings;
import io.surewrite.journal.JournalSettings.BucketLength;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The attribute journal.
 *
 * @param enabled whether there is one; it needs two tables
 * @param entriesAMonth how many values the busiest entity gets in a month; decides how much time a partition covers at
 *     first, and so cannot be changed much once there is a journal
 * @param consistency of reads and writes; any two must meet
 * @param timeToLive how long an entry is kept, from its instant on; 0 is for ever
 */
@ConfigurationProperties("surewrite.journal")
record JournalProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("10000") long entriesAMonth,
        @DefaultValue("quorum") DefaultConsistencyLevel consistency,
        @DefaultValue("0") Duration timeToLive) {

    JournalProperties {
        PropertyCheck.require(
                entriesAMonth >= 1,
                "surewrite.journal.entries-a-month",
                entriesAMonth,
                "it must be at least 1: how many values the busiest entity gets in a month");
    }

    JournalSettings settings() {
        return new JournalSettings(BucketLength.forEstimate(entriesAMonth), consistency, timeToLive);
    }
}
