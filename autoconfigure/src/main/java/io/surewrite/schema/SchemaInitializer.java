package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.cql.ConditionalWrites;
import io.surewrite.cql.WriteOutcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Creates and alters what is missing where that is allowed, then checks everything. Never creates a keyspace. */
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
     * @return the name to use in CQL of each table
     * @throws SchemaException if a table is missing or wrong; it lists all problems with the CQL that mends them
     */
    Map<String, String> initialize(List<SchemaTable> tables) {
        return initialize(
                tables, settings.scripts().stream().map(DdlScript::read).toList());
    }

    /**
     * Sees to it that one more table is there.
     *
     * @param table what a feature needs
     * @return the name to use in CQL
     * @throws SchemaException if it is missing or wrong, with the CQL that mends it
     */
    String add(SchemaTable table) {
        return initialize(List.of(table), List.of()).values().iterator().next();
    }

    /**
     * {@return whether a table is there}
     *
     * @param table what a feature may need
     */
    boolean exists(SchemaTable table) {
        TableDefinition definition = define(table);
        return catalog.table(definition) != null;
    }

    /**
     * {@return whether a table is closed to processes before a version}
     *
     * @param table the table
     * @param version the version
     */
    boolean isClosed(SchemaTable table, int version) {
        TableDefinition definition = define(table);
        TableShape actual = catalog.table(definition.keyspace(), definition.table());
        return actual != null && actual.needed() >= version;
    }

    /**
     * Refuses writes of a table once it is closed to processes as old as this one.
     *
     * @param table the table
     * @param writes what runs the writes
     * @return the same, as long as the table is open
     */
    ConditionalWrites fenced(SchemaTable table, ConditionalWrites writes) {
        TableDefinition definition = define(table);
        TableUsers users = new TableUsers(session, definition);
        int version = definition.version();
        return (write, timeout) -> {
            int needed = users.needed();
            return needed <= version
                    ? writes.execute(write, timeout)
                    : CompletableFuture.completedFuture(new WriteOutcome.Failed(new SchemaException(
                            List.of(SchemaProblems.tooOld(definition, needed)), SchemaProblems.RUN_THE_NEWER_RELEASE)));
        };
    }

    /**
     * Watches whether every process that uses a table knows a version.
     *
     * @param table the table
     * @param version the version
     * @param feature what waits for it
     * @return whether the feature may begin
     */
    BooleanSupplier knownToAll(SchemaTable table, int version, String feature) {
        TableDefinition definition = define(table);
        TableUsers users = new TableUsers(session, definition);
        return new UpgradeWatch(feature, definition, version, users::needed, System::nanoTime);
    }

    private TableDefinition define(SchemaTable table) {
        return define(List.of(table), keyspace()).get(0);
    }

    private Map<String, String> initialize(List<SchemaTable> tables, List<DdlScript> scripts) {
        List<TableDefinition> definitions = tables.isEmpty() ? List.of() : define(tables, keyspace());
        SchemaCheck check = new SchemaCheck(catalog);
        if (tables.stream().anyMatch(SchemaTable::conditional)) {
            check.conditionalWrites(keyspace(), ConditionalLevel.of(session));
            check.report(settings); // before anything is created
        }
        if (settings.create()) {
            new SchemaCreation(session, catalog).create(definitions, scripts);
        }
        definitions.forEach(check::table);
        for (DdlScript script : scripts) {
            check.script(script, session.getKeyspace().orElse(null));
        }
        check.report(settings);
        return definitions.stream()
                .collect(Collectors.toMap(TableDefinition::shortName, TableDefinition::qualifiedName));
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
