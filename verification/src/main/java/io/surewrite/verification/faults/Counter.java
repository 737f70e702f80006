package io.surewrite.verification.faults;

import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.Table;

/**
 * A row that one thread writes, version after version.
 *
 * @param id of the row
 * @param version counts its writes
 */
@Table("counter_row")
public record Counter(@Id String id, long version) {}
