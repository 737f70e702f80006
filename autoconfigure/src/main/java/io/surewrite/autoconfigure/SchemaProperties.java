package io.surewrite.autoconfigure;

import io.surewrite.schema.ManagedSchema.SchemaInitialization;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;

/**
 * The tables of Surewrite, and the application's own.
 *
 * @param initialize When missing tables are created. If they are not, a missing or wrong table ends the start.
 * @param keyspace Keyspace of Surewrite's tables. Default is the session's keyspace. Never created.
 * @param tablePrefix What the names of Surewrite's tables begin with.
 * @param locations DDL files of the application's own, run at each start that may create tables. Only CREATE ... IF NOT EXISTS.
 */
@ConfigurationProperties(SchemaProperties.PREFIX)
record SchemaProperties(
        @DefaultValue("embedded") SchemaInitialization initialize,
        @Nullable String keyspace,
        @DefaultValue("surewrite_") String tablePrefix,
        @DefaultValue List<Resource> locations) {

    static final String PREFIX = "surewrite.schema";

    private static final Pattern KEYSPACE_NAME = Pattern.compile("[A-Za-z]\\w{0,47}|\"\\w{1,48}\"");
    // Cassandra allows 48 characters for the whole name.
    private static final Pattern TABLE_PREFIX = Pattern.compile("[a-z][a-z0-9_]{0,23}");

    SchemaProperties {
        PropertyCheck.require(
                keyspace == null || KEYSPACE_NAME.matcher(keyspace).matches(),
                PREFIX + ".keyspace",
                keyspace,
                "it must be a CQL identifier: a letter and up to 47 letters, digits and underscores,"
                        + " in double quotes if it has upper-case letters");
        PropertyCheck.require(
                TABLE_PREFIX.matcher(tablePrefix).matches(),
                PREFIX + ".table-prefix",
                tablePrefix,
                "it must be a lower-case letter and up to 23 lower-case letters, digits and underscores");
    }
}
