package io.surewrite.schema.tables;

import io.surewrite.cql.InvalidConfigurationException;
import io.surewrite.cql.analysis.CqlText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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

    private static final String LOCATIONS = "surewrite.schema.locations";

    private static final Set<String> KINDS = Set.of("table", "type", "index", "view");

    static DdlScript read(Resource source) {
        String text;
        try {
            text = source.getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new InvalidConfigurationException(
                    LOCATIONS,
                    "The script %s cannot be read: %s".formatted(source.getDescription(), e.getMessage()),
                    "Correct surewrite.schema.locations.",
                    SchemaCatalog.PAGE);
        }
        List<String> statements = new ArrayList<>();
        if (StringUtils.hasText(text)) {
            ScriptUtils.splitCqlScript(
                    new EncodedResource(source), text, ";", new String[] {"--", "//"}, "/*", "*/", statements);
        }
        List<String> problems = statements.stream()
                .filter(statement -> !KINDS.contains(CqlText.of(statement).createsIfMissing()))
                .map(statement -> "The script %s has a statement that may not run at every start: %s"
                        .formatted(source.getDescription(), statement))
                .toList();
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(
                    LOCATIONS,
                    String.join("\n", problems),
                    "Scripts in surewrite.schema.locations may hold CREATE TABLE, TYPE, INDEX or MATERIALIZED VIEW,"
                            + " each with IF NOT EXISTS.",
                    SchemaCatalog.PAGE);
        }
        return new DdlScript(source, text.strip(), statements);
    }

    List<CqlText.Name> tables() {
        return statements.stream()
                .map(CqlText::of)
                .filter(text -> text.createsIfMissing().equals("table"))
                .flatMap(text -> text.tables(null).stream())
                .toList();
    }
}
