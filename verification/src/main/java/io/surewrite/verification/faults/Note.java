package io.surewrite.verification.faults;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.Table;

/**
 * A row that is written once. Its id comes from the client, filled in before the first attempt.
 *
 * @param id of the row
 * @param subject says what was written
 */
@Table("note_row")
public record Note(@Id @Nullable UUID id, String subject) {}
