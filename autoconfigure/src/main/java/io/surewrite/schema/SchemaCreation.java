package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates what is missing and waits until every node knows it. */
final class SchemaCreation {

    private static final Logger log = LoggerFactory.getLogger(SchemaCreation.class);

    /** Generous: a busy development machine takes seconds for a table. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final CqlSession session;
    private final SchemaCatalog catalog;

    SchemaCreation(CqlSession session, SchemaCatalog catalog) {
        this.session = session;
        this.catalog = catalog;
    }

    void create(List<TableDefinition> definitions, List<DdlScript> scripts) {
        List<TableDefinition> missing = definitions.stream()
                .filter(definition -> catalog.table(definition.keyspace(), definition.table()) == null)
                .toList();
        if (missing.isEmpty() && scripts.isEmpty()) {
            return;
        }
        // Otherwise the driver waits a second after every statement before it reads the schema again.
        join(session.setSchemaMetadataEnabled(false));
        try {
            missing.forEach(this::create);
            scripts.forEach(this::run);
        } finally {
            join(session.setSchemaMetadataEnabled(null)); // as configured; reads it once
        }
    }

    private void create(TableDefinition definition) {
        run(definition.ddl(), "The table " + definition.qualifiedName(), definition.ddl());
        log.info("Created the table {}", definition.qualifiedName());
    }

    private void run(DdlScript script) {
        for (String statement : script.statements()) {
            run(statement, "What %s describes".formatted(script.source().getDescription()), script.text());
        }
    }

    private void run(String statement, String what, String ddl) {
        try {
            session.execute(
                    SimpleStatement.newInstance(statement).setTimeout(TIMEOUT).setIdempotent(true));
        } catch (RuntimeException e) {
            throw SchemaProblems.notCreated(what, ddl, e);
        }
        if (!session.checkSchemaAgreement()) {
            throw SchemaProblems.noAgreement();
        }
    }

    private static void join(CompletionStage<Metadata> change) {
        change.toCompletableFuture().join();
    }
}
