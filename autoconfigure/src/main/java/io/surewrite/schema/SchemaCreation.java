package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates what is missing, adds the columns of later versions, and waits until every node knows it. */
final class SchemaCreation {

    private static final Logger log = LoggerFactory.getLogger(SchemaCreation.class);

    /** Generous: a busy development machine takes seconds for a table. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** The driver waits ten seconds in each, unless it is told otherwise: as long as for a table in all. */
    private static final int AGREEMENT_CHECKS = 3;

    private final CqlSession session;
    private final SchemaCatalog catalog;

    SchemaCreation(CqlSession session, SchemaCatalog catalog) {
        this.session = session;
        this.catalog = catalog;
    }

    void create(List<TableDefinition> definitions, List<DdlScript> scripts) {
        List<TableDefinition> missing = new ArrayList<>();
        Map<TableDefinition, List<String>> old = new LinkedHashMap<>();
        for (TableDefinition definition : definitions) {
            TableShape actual = catalog.table(definition);
            if (actual == null) {
                missing.add(definition);
            } else if (!definition.missingIn(actual).isEmpty()) {
                old.put(definition, definition.missingIn(actual));
            }
        }
        if (missing.isEmpty() && old.isEmpty() && scripts.isEmpty()) {
            if (definitions.stream().anyMatch(definition -> definition.version() > TableVersion.FIRST)) {
                requireAgreement(); // another process may be altering the table just now
            }
            return;
        }
        // Otherwise the driver waits a second after every statement before it reads the schema again.
        join(session.setSchemaMetadataEnabled(false));
        try {
            missing.forEach(this::create);
            old.forEach(this::upgrade);
            scripts.forEach(this::run);
        } finally {
            join(session.setSchemaMetadataEnabled(null)); // as configured; reads it once
        }
        // The driver asks one node who agrees with whom, and that one may have heard of nothing yet.
        missing.forEach(this::awaitOnAllNodes);
        old.keySet().forEach(this::awaitOnAllNodes);
    }

    private void awaitOnAllNodes(TableDefinition definition) {
        var unused = catalog.agreed(definition.keyspace(), definition.table());
    }

    private void create(TableDefinition definition) {
        run(
                definition.ddl(),
                "The table %s could not be created".formatted(definition.qualifiedName()),
                definition.ddl());
        log.info("Created the table {}", definition.qualifiedName());
    }

    private void upgrade(TableDefinition definition, List<String> columns) {
        for (String column : columns) {
            String ddl = definition.ddlOf(column);
            try {
                run(ddl, "The table %s could not be altered".formatted(definition.qualifiedName()), ddl);
            } catch (SchemaException failure) {
                if (!hasNow(definition, column)) {
                    throw failure;
                }
            }
        }
        log.info("Altered the table {} to version {}", definition.qualifiedName(), definition.version());
    }

    /** Several processes may start at once, and one of them was first. */
    private boolean hasNow(TableDefinition definition, String column) {
        requireAgreement();
        TableShape actual = catalog.table(definition);
        return actual != null && actual.columns().containsKey(column);
    }

    private void run(DdlScript script) {
        for (String statement : script.statements()) {
            run(
                    statement,
                    "What %s describes could not be created"
                            .formatted(script.source().getDescription()),
                    script.text());
        }
    }

    private void run(String statement, String what, String ddl) {
        try {
            session.execute(
                    SimpleStatement.newInstance(statement).setTimeout(TIMEOUT).setIdempotent(true));
        } catch (RuntimeException e) {
            throw SchemaProblems.failed(what, ddl, e);
        }
        requireAgreement();
    }

    private void requireAgreement() {
        for (int patience = 0; patience < AGREEMENT_CHECKS; patience++) {
            if (session.checkSchemaAgreement()) {
                return;
            }
        }
        throw SchemaProblems.noAgreement();
    }

    private static void join(CompletionStage<Metadata> change) {
        change.toCompletableFuture().join();
    }
}
