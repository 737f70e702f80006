package io.surewrite.alledeals.user;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;

/**
 * A registered user.
 *
 * @param id made by the client, so that registering again changes nothing
 * @param login the name others see
 * @param email where to reach the user; never shown on a page
 * @param age in years
 * @param fullName the name on the profile, if the user gave one
 * @param city where the user sells from
 * @param about a few words
 */
@Table("cass_user")
public record User(
        @PrimaryKey("user_id") UUID id,
        String login,
        String email,
        int age,
        @Column("full_name") @Nullable String fullName,
        @Nullable String city,
        @Nullable String about) {}
