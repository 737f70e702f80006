package io.surewrite.architecture.planted.cql;

import io.surewrite.architecture.planted.schema.SchemaThatCatchesTheDriver;

/** Looks up. */
record CqlThatKnowsSchema(SchemaThatCatchesTheDriver schema) {}
