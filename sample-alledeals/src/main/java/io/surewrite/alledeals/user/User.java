package io.surewrite.alledeals.user;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/** A registered user. */
@Table("cass_user")
public record User(
        @PrimaryKey("user_id") UUID id,
        String login,
        String email,
        int age,
        @Column("full_name") @Nullable String fullName,
        @Nullable String city,
        @Nullable String about) {}
