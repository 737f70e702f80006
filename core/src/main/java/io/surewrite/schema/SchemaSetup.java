package io.surewrite.schema;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.surewrite.internal.compat.TransactionalTables;
import io.surewrite.internal.lwt.ConditionalProfile.ConditionalLevel;
import io.surewrite.schema.ManagedSchema.SchemaInitialization;
import io.surewrite.write.InvalidConfigurationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.EncodedResource;
import org.springframework.data.cassandra.core.cql.session.init.ScriptUtils;

/** Creates what is missing where that is allowed, then checks everything. Never creates a keyspace. */
record SchemaSetup(CqlSession session, ManagedSchema.Settings settings) {

    private static final Logger log = LoggerFactory.getLogger(SchemaSetup.class);

    /** Generous: a busy development machine takes seconds for a table. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** The driver waits ten seconds in each, unless it is configured otherwise: as long as for a table in all. */
    private static final int AGREEMENT_CHECKS = 3;

    private SchemaCatalog catalog() {
        return new SchemaCatalog(session);
    }

    /** The application's own DDL. */
    void run(List<Resource> scripts) {
        if (settings.create(session)) {
            create(List.of(), scripts);
        }
    }

    List<TableDefinition> initialize(List<String> names) {
        CqlIdentifier keyspace = keyspace();
        List<TableDefinition> definitions =
                names.stream().map(name -> define(name, keyspace)).toList();
        Check check = new Check();
        check.conditionalWrites(keyspace); // each feature has a table with such
        check.report(); // before anything is created
        if (settings.create(session)) {
            create(definitions, List.of());
        }
        definitions.forEach(check::table);
        check.report();
        return definitions;
    }

    boolean exists(String name) {
        return catalog().table(define(name, keyspace())) != null;
    }

    private TableDefinition define(String name, CqlIdentifier keyspace) {
        TableDefinition definition = TableDefinition.of(name, keyspace, settings.tablePrefix());
        // Said, as a server may be configured to give tables another mode.
        return transactional().isOptionKnown() ? definition.with("transactional_mode = 'off'") : definition;
    }

    private TransactionalTables transactional() {
        return TransactionalTables.of(session.getContext());
    }

    private CqlIdentifier keyspace() {
        String configured = settings.keyspace();
        CqlIdentifier keyspace = configured == null ? sessionKeyspace() : CqlIdentifier.fromCql(configured);
        if (catalog().replication(keyspace) == null) {
            throw new InvalidConfigurationException(
                    "surewrite.schema.keyspace",
                    "The keyspace %s of surewrite.schema.keyspace does not exist.".formatted(keyspace.asCql(true)),
                    """
                    Surewrite never creates a keyspace. Correct the name, or create the keyspace with the replication \
                    that you need, for example:

                    CREATE KEYSPACE %s WITH replication = \
                    {'class': 'NetworkTopologyStrategy', 'replication_factor': 3};""".formatted(keyspace.asCql(true)),
                    SchemaCatalog.PAGE);
        }
        return keyspace;
    }

    private CqlIdentifier sessionKeyspace() {
        return session.getKeyspace()
                .orElseThrow(() -> new InvalidConfigurationException(
                        "spring.cassandra.keyspace-name",
                        "The Cassandra session has no keyspace, so there is no place for the tables.",
                        "Set spring.cassandra.keyspace-name, or surewrite.schema.keyspace for the tables of Surewrite alone.",
                        SchemaCatalog.PAGE));
    }

    private void create(List<TableDefinition> definitions, List<Resource> scripts) {
        List<TableDefinition> missing = definitions.stream()
                .filter(definition -> catalog().shown(definition) == null)
                .toList();
        if (!missing.isEmpty() || !scripts.isEmpty()) {
            // Otherwise the driver waits a second after every statement before it reads the schema again.
            session.setSchemaMetadataEnabled(false).toCompletableFuture().join();
            try {
                missing.forEach(this::create);
                scripts.forEach(this::run);
            } finally {
                session.setSchemaMetadataEnabled(null).toCompletableFuture().join(); // as configured; reads it once
            }
        }
        definitions.forEach(definition -> catalog().awaitServed(definition)); // another process may create it just now
        requireAgreement();
    }

    private void create(TableDefinition definition) {
        try {
            session.execute(SimpleStatement.newInstance(definition.ddl())
                    .setTimeout(TIMEOUT)
                    .setIdempotent(true));
        } catch (RuntimeException cause) {
            throw refused(
                    "The table %s could not be created".formatted(definition.qualifiedName()), cause, definition.ddl());
        }
        log.info("Created the table {}", definition.qualifiedName());
    }

    private void run(Resource script) {
        try {
            ScriptUtils.executeCqlScript(
                    session, new EncodedResource(script), false, false, new String[] {"--", "//"}, ";", "/*", "*/");
        } catch (RuntimeException cause) {
            String file = script.getDescription();
            throw refused("What %s describes could not be created".formatted(file), cause, "-- " + file);
        }
    }

    private static InvalidConfigurationException refused(String what, RuntimeException cause, String ddl) {
        InvalidConfigurationException failure = new InvalidConfigurationException(
                "surewrite.schema",
                "%s: %s"
                        .formatted(
                                what,
                                NestedExceptionUtils.getMostSpecificCause(cause).getMessage()),
                """
                Correct that, or, if the application's role shall not create tables, run this CQL beforehand \
                and set surewrite.schema.initialize=never:

                %s""".formatted(ddl),
                SchemaCatalog.PAGE);
        failure.initCause(cause);
        return failure;
    }

    private void requireAgreement() {
        if (IntStream.range(0, AGREEMENT_CHECKS).noneMatch(patience -> session.checkSchemaAgreement())) {
            throw new InvalidConfigurationException(
                    "surewrite.schema",
                    "The nodes of the cluster do not agree on the schema after tables were created.",
                    "See `nodetool describecluster`; start again once all nodes show one schema version. Where several"
                            + " instances start together, run the DDL beforehand and set surewrite.schema.initialize=never.",
                    SchemaCatalog.PAGE);
        }
    }

    private final class Check {

        private final List<String> problems = new ArrayList<>();
        private final Set<String> fixes = new LinkedHashSet<>();
        private final Set<String> ddlOfMissing = new LinkedHashSet<>();
        private final Set<String> ddlOfWrong = new LinkedHashSet<>();

        void conditionalWrites(CqlIdentifier keyspace) {
            Replication replication = Objects.requireNonNull(catalog().replication(keyspace));
            for (String obstacle : replication.obstaclesToConditionalWrites(ConditionalLevel.of(session))) {
                problems.add("Lightweight transactions cannot work in the keyspace %s: %s."
                        .formatted(keyspace.asCql(true), obstacle));
                fixes.add(
                        "Put our tables into another keyspace with surewrite.schema.keyspace, or alter its replication.");
            }
        }

        void table(TableDefinition definition) {
            TableShape actual = catalog().table(definition);
            String name = definition.qualifiedName();
            if (actual == null) {
                problems.add("The table %s is missing.".formatted(name));
                ddlOfMissing.add(definition.ddl());
                return;
            }
            String written = transactional().await()
                    ? transactional().problem(definition.keyspace(), definition.table())
                    : "it could not be read whether the table has a transactional_mode; see the log";
            if (written != null) {
                problems.add("The table %s must be written by Paxos: %s.".formatted(name, written));
                fixes.add("ALTER TABLE %s WITH transactional_mode = 'off';".formatted(name));
            }
            for (String difference : actual.differencesFrom(definition.shape())) {
                problems.add("The table %s is wrong: %s.".formatted(name, difference));
                ddlOfWrong.add(definition.ddl());
            }
        }

        void report() {
            if (problems.isEmpty()) {
                return;
            }
            if (!ddlOfMissing.isEmpty()) {
                fixes.add("""
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
                fixes.add("""
                        A table of another shape is not ours to change. Alter or drop it, or choose another \
                        surewrite.schema.table-prefix or surewrite.schema.keyspace. What is expected:

                        %s""".formatted(String.join("\n\n", ddlOfWrong)));
            }
            throw new InvalidConfigurationException(
                    "surewrite.schema", String.join("\n", problems), String.join("\n\n", fixes), SchemaCatalog.PAGE);
        }
    }
}
