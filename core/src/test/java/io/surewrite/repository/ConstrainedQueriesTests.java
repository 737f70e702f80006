package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConstrainedQueriesTests {

    private final ConstrainedQueries queries = new ConstrainedQueries(Set.of(CqlIdentifier.fromInternal("email")));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE users SET email = 'x' WHERE id = ?0",
                "-- don't forget\nUPDATE users SET email = 'x' WHERE id = ?0",
                "/* it's */ UPDATE users SET \"email\" = ?1 WHERE id = ?0",
                "UPDATE users SET name = '--', email = ?1 WHERE id = ?0",
                "UPDATE users SET name = $$'$$, email = ?1 WHERE id = ?0",
                "DELETE /* name */ FROM users WHERE id = ?0",
                "BEGIN BATCH DELETE name FROM users WHERE id = ?0; DELETE FROM users WHERE id = ?1; APPLY BATCH",
                "-- all\nTRUNCATE users",
                "INSERT INTO users // of\n JSON ?0",
                "UPDATE users SET name = ':#{' WHERE id = ?0"
            })
    void refuseWritesPastTheGuard(String cql) {
        assertThat(queries.harm(cql)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT email FROM users WHERE id = ?0",
                "-- don't\nSELECT * FROM users",
                "UPDATE users SET name = 'email' WHERE id = ?0 -- nor email",
                "UPDATE users SET name = :#{#user.email} WHERE id = :email",
                "DELETE name FROM users WHERE id = ?0"
            })
    void letOthersPass(String cql) {
        assertThat(queries.harm(cql)).isNull();
    }
}
