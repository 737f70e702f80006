package com.example;

import org.springframework.data.cassandra.core.cql.CqlTemplate;

/** A bean of a user, outside our packages, that sends as it should. */
public record UsesTheTemplate(CqlTemplate template) {}
