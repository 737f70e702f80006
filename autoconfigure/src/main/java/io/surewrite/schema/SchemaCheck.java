package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares what exists with what is needed, and collects everything that is amiss. */
final class SchemaCheck {

    private final SchemaCatalog catalog;
    private final List<String> problems = new ArrayList<>();
    private boolean unfit;
    private boolean tooOld;
    private final Set<String> ddlOfMissing = new LinkedHashSet<>();
    private final Set<String> ddlOfWrong = new LinkedHashSet<>();

    SchemaCheck(SchemaCatalog catalog) {
        this.catalog = catalog;
    }

    /** Checks that lightweight transactions can work where our tables live. */
    void conditionalWrites(CqlIdentifier keyspace, ConditionalLevel level) {
        for (String obstacle : catalog.replication(keyspace).obstaclesToConditionalWrites(level)) {
            problems.add("Lightweight transactions cannot work in the keyspace %s: %s."
                    .formatted(keyspace.asCql(true), obstacle));
            unfit = true;
        }
    }

    void table(TableDefinition definition) {
        TableShape actual = catalog.table(definition);
        String name = definition.qualifiedName();
        if (actual == null) {
            problems.add("The table %s is missing.".formatted(name));
            ddlOfMissing.add(definition.ddl());
            return;
        }
        if (actual.needed() > definition.version()) {
            problems.add(SchemaProblems.tooOld(definition, actual.needed()));
            tooOld = true;
            return;
        }
        List<String> missing = definition.missingIn(actual);
        if (!missing.isEmpty()) {
            problems.add("The table %s is of version %d, and this process needs version %d: %s missing."
                    .formatted(
                            name,
                            definition.versionOf(actual),
                            definition.version(),
                            missing.size() == 1
                                    ? "column " + missing.get(0) + " is"
                                    : "columns " + String.join(", ", missing) + " are"));
            missing.forEach(column -> ddlOfMissing.add(definition.ddlOf(column)));
            return;
        }
        for (String difference : actual.differencesFrom(definition.shape())) {
            problems.add("The table %s is wrong: %s.".formatted(name, difference));
            ddlOfWrong.add(definition.ddl());
        }
    }

    /** Checks that the script's tables exist; their columns are the application's affair. */
    void script(DdlScript script, @Nullable CqlIdentifier sessionKeyspace) {
        for (DdlScript.TableName name : script.tables()) {
            CqlIdentifier keyspace = name.keyspace() == null ? sessionKeyspace : name.keyspace();
            if (keyspace == null) {
                throw SchemaProblems.noKeyspace();
            }
            if (catalog.table(keyspace, name.table()) == null) {
                problems.add("The table %s.%s of %s is missing."
                        .formatted(
                                keyspace.asCql(true),
                                name.table().asCql(true),
                                script.source().getDescription()));
                if (name.keyspace() == null) {
                    ddlOfMissing.add("USE %s;".formatted(keyspace.asCql(true)));
                }
                ddlOfMissing.add(script.text());
            }
        }
    }

    void report(SchemaSettings settings) {
        if (problems.isEmpty()) {
            return;
        }
        List<String> mends = new ArrayList<>();
        if (unfit) {
            mends.add("Put our tables into another keyspace with surewrite.schema.keyspace, or alter its replication.");
        }
        if (tooOld) {
            mends.add(SchemaProblems.RUN_THE_NEWER_RELEASE);
        }
        if (!ddlOfMissing.isEmpty()) {
            mends.add("""
                    Run this CQL before the application starts, or let the application run it with \
                    surewrite.schema.initialize=always (now it is %s%s):

                    %s""".formatted(
                            settings.initialization().name().toLowerCase(Locale.ROOT),
                            settings.initialization() == SchemaInitialization.EMBEDDED
                                    ? ", and this is not the embedded server"
                                    : "",
                            String.join("\n\n", ddlOfMissing)));
        }
        if (!ddlOfWrong.isEmpty()) {
            mends.add("""
                    A table of another shape is not ours to change. Alter or drop it, or choose another \
                    surewrite.schema.table-prefix or surewrite.schema.keyspace. What is expected:

                    %s""".formatted(String.join("\n\n", ddlOfWrong)));
        }
        throw new SchemaException(problems, String.join("\n\n", mends));
    }
}
