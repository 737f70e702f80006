package io.surewrite.verification.overhead;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Set;
import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.Table;

/**
 * A row of ordinary size.
 *
 * @param id of the product
 * @param name of the product
 * @param price of the product
 * @param tags of the product
 * @param added when it was added
 */
@Table("product")
public record Product(@Id int id, String name, BigDecimal price, Set<String> tags, Instant added) {}
