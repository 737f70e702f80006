package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import java.util.List;
import java.util.stream.Collectors;

/** Creates what is missing where that is allowed, then checks everything. Never creates a keyspace. */
public final class SchemaInitializer {

    private final CqlSession session;
    private final SchemaSettings settings;
    private final SchemaCatalog catalog;

    /**
     * Makes an initializer; nothing happens yet.
     *
     * @param session the session whose server holds the tables
     * @param settings where the tables live and who creates them
     */
    public SchemaInitializer(CqlSession session, SchemaSettings settings) {
        this.session = session;
        this.settings = settings;
        this.catalog = new SchemaCatalog(session);
    }

    /**
     * Sees to it that the tables, and those of the application's scripts, are there.
     *
     * @param tables what the features need
     * @return the tables, ready for use
     * @throws SchemaException if a table is missing or wrong; it lists all problems with the CQL that mends them
     */
    public SurewriteSchema initialize(List<SchemaTable> tables) {
        List<DdlScript> scripts =
                settings.scripts().stream().map(DdlScript::read).toList();
        List<TableDefinition> definitions = tables.isEmpty() ? List.of() : define(tables, keyspace());
        if (settings.create()) {
            new SchemaCreation(session, catalog).create(definitions, scripts);
        }
        SchemaCheck check = new SchemaCheck(catalog);
        definitions.forEach(check::table);
        for (DdlScript script : scripts) {
            check.script(script, session.getKeyspace().orElse(null));
        }
        check.report(settings);
        return new SurewriteSchema(definitions.stream()
                .collect(Collectors.toMap(TableDefinition::shortName, TableDefinition::qualifiedName)));
    }

    private List<TableDefinition> define(List<SchemaTable> tables, CqlIdentifier keyspace) {
        return tables.stream()
                .map(table -> TableDefinition.of(table, keyspace, settings.tablePrefix()))
                .toList();
    }

    private CqlIdentifier keyspace() {
        String configured = settings.keyspace();
        CqlIdentifier keyspace = configured == null
                ? session.getKeyspace().orElseThrow(SchemaProblems::noKeyspace)
                : CqlIdentifier.fromCql(configured);
        if (!catalog.hasKeyspace(keyspace)) {
            throw SchemaProblems.missingKeyspace(keyspace);
        }
        return keyspace;
    }
}
