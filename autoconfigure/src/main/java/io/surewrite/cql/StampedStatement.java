package io.surewrite.cql;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A prepared statement whose bound statements are made with a timestamp, so that they need not be copied to get it. Who
 * binds may still choose another one.
 */
record StampedStatement(PreparedStatement statement, long timestamp) implements PreparedStatement {

    @Override
    public BoundStatementBuilder boundStatementBuilder(Object... values) {
        return statement.boundStatementBuilder(values).setQueryTimestamp(timestamp);
    }

    @Override
    public BoundStatement bind(Object... values) {
        return boundStatementBuilder(values).build();
    }

    @Override
    public ByteBuffer getId() {
        return statement.getId();
    }

    @Override
    public String getQuery() {
        return statement.getQuery();
    }

    @Override
    public ColumnDefinitions getVariableDefinitions() {
        return statement.getVariableDefinitions();
    }

    @Override
    public List<Integer> getPartitionKeyIndices() {
        return statement.getPartitionKeyIndices();
    }

    @Override
    public ByteBuffer getResultMetadataId() {
        return statement.getResultMetadataId();
    }

    @Override
    public ColumnDefinitions getResultSetDefinitions() {
        return statement.getResultSetDefinitions();
    }

    @Override
    public void setResultMetadata(ByteBuffer id, ColumnDefinitions definitions) {
        statement.setResultMetadata(id, definitions);
    }
}
