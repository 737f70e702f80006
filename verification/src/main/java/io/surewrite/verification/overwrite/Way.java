package io.surewrite.verification.overwrite;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import io.surewrite.embedded.EmbeddedCassandra;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.overwrite.TombstoneBudget;
import io.surewrite.overwrite.TombstoneCount;
import io.surewrite.verification.MeasuredApplication;
import io.surewrite.verification.Times;
import java.util.List;
import java.util.Locale;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.cassandra.repository.MapIdCassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/** One way of writing rows, with an application and a keyspace of its own and the times it took. */
final class Way implements AutoCloseable {

    /** How a row is written. */
    enum Kind {
        SAVE,
        INSERT_WITHOUT_NULLS,
        OVERWRITE,
        /** All rows of a partition in one mutation. */
        OVERWRITE_PARTITION,
        /** Written once, without nulls: the least that can be on disk. */
        ONCE
    }

    interface WideRows extends MapIdCassandraRepository<WideRow> {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(considerNestedRepositories = true)
    static class Application {}

    private final Kind kind;
    private final ConfigurableApplicationContext application;
    private final CqlSession session;
    private final WideRows repository;
    private final RowOverwrites overwrites;
    private final PreparedStatement select;
    final Times writes = new Times();
    final Times reads = new Times();

    Way(Kind kind, EmbeddedCassandra server) {
        this.kind = kind;
        this.application = MeasuredApplication.start(Application.class, server, keyspace());
        this.session = application.getBean(CqlSession.class);
        session.execute(WideRow.ddl());
        this.repository = application.getBean(WideRows.class);
        this.overwrites = application.getBean(RowOverwrites.class);
        this.select = session.prepare("SELECT * FROM wide_row WHERE p = ?");
    }

    String keyspace() {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    void empty() {
        session.execute("TRUNCATE wide_row");
    }

    void write(WideRow row) {
        switch (kind) {
            case SAVE -> repository.save(row);
            case INSERT_WITHOUT_NULLS, ONCE -> repository.insert(row);
            case OVERWRITE -> overwrites.overwrite(row);
            case OVERWRITE_PARTITION -> writePartition(row.p(), List.of(row));
        }
    }

    void writePartition(int partition, List<WideRow> rows) {
        overwrites.overwritePartition(WideRow.class, partition, rows);
    }

    /** {@return how many warnings came with the rows} */
    int read(int partition) {
        ResultSet result = session.execute(select.bind(partition).setPageSize(5000));
        for (Row row : result) {
            row.getInt(1);
        }
        return result.getExecutionInfos().stream()
                .mapToInt(execution -> execution.getWarnings().size())
                .sum();
    }

    TombstoneCount count(int partition) {
        return TombstoneBudget.in(session)
                .assertThat("SELECT * FROM wide_row WHERE p = ?", partition)
                .count();
    }

    @Override
    public void close() {
        application.close();
    }
}
