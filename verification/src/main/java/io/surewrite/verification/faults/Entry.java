package io.surewrite.verification.faults;

import java.util.UUID;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/**
 * A row of two columns.
 *
 * @param id of the row
 * @param label what at most one row has
 */
@Table("entry")
public record Entry(@PrimaryKey UUID id, String label) {}
