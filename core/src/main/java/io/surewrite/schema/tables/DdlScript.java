package io.surewrite.schema.tables;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.schema.SchemaException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.EncodedResource;
import org.springframework.data.cassandra.core.cql.session.init.ScriptUtils;
import org.springframework.util.StringUtils;

/**
 * A file of the application's own DDL. It runs at every start, so it may only create what is not there.
 *
 * @param source the file
 * @param text its content
 * @param statements its statements
 */
record DdlScript(Resource source, String text, List<String> statements) {

    private static final Pattern CREATE = Pattern.compile(
            "CREATE (?:CUSTOM )?(TABLE|TYPE|INDEX|MATERIALIZED VIEW) IF NOT EXISTS (\\S.*)",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern NAME =
            Pattern.compile("(?:(?<keyspace>\\w+|\"[^\"]+\") ?\\. ?)?(?<table>\\w+|\"[^\"]+\")");

    /** A table that a script creates; the keyspace is null if the script does not name it. */
    record TableName(@Nullable CqlIdentifier keyspace, CqlIdentifier table) {}

    static DdlScript read(Resource source) {
        String text;
        try {
            text = source.getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new SchemaException(
                    List.of("The script %s cannot be read: %s".formatted(source.getDescription(), e.getMessage())),
                    "Correct surewrite.schema.locations.");
        }
        List<String> statements = new ArrayList<>();
        if (StringUtils.hasText(text)) {
            ScriptUtils.splitCqlScript(
                    new EncodedResource(source), text, ";", new String[] {"--", "//"}, "/*", "*/", statements);
        }
        List<String> problems = statements.stream()
                .filter(statement -> !CREATE.matcher(statement).matches())
                .map(statement -> "The script %s has a statement that may not run at every start: %s"
                        .formatted(source.getDescription(), statement))
                .toList();
        if (!problems.isEmpty()) {
            throw new SchemaException(
                    problems,
                    "Scripts in surewrite.schema.locations may hold CREATE TABLE, TYPE, INDEX or MATERIALIZED VIEW,"
                            + " each with IF NOT EXISTS.");
        }
        return new DdlScript(source, text.strip(), statements);
    }

    List<TableName> tables() {
        List<TableName> tables = new ArrayList<>();
        for (String statement : statements) {
            Matcher create = CREATE.matcher(statement);
            if (create.matches() && create.group(1).equalsIgnoreCase("TABLE")) {
                Matcher name = NAME.matcher(create.group(2));
                if (name.lookingAt()) {
                    String keyspace = name.group("keyspace");
                    tables.add(new TableName(
                            keyspace == null ? null : CqlIdentifier.fromCql(keyspace),
                            CqlIdentifier.fromCql(name.group("table"))));
                }
            }
        }
        return tables;
    }
}
