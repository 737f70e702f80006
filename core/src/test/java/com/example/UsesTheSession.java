package com.example;

import com.datastax.oss.driver.api.core.CqlSession;

/** A bean of a user, outside our packages. */
public record UsesTheSession(CqlSession session) {}
