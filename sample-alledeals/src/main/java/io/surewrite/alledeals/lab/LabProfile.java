package io.surewrite.alledeals.lab;

import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

/** A row with much to leave empty. */
@Table("cass_lab_profile")
record LabProfile(
        @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED) String way,
        @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED) int number,
        String name,
        @Nullable String city,
        @Nullable String street,
        @Nullable String phone,
        @Nullable String about,
        @Nullable String website) {}
