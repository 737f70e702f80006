package io.surewrite.verification.overhead;

import org.springframework.data.cassandra.repository.CassandraRepository;

/** Plain Spring Data. */
public interface PlainProducts extends CassandraRepository<Product, Integer> {}
