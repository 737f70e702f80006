package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.write.InvalidConfigurationException;
import org.junit.jupiter.api.Test;

class UniqueCatalogTests {

    private final UniqueCatalog catalog = new UniqueCatalog();

    private void add(String name, String table, String definition, String repository) {
        catalog.add(
                UniqueConstraint.on(name, "login"),
                table,
                definition,
                () -> {
                    throw new UnsupportedOperationException();
                },
                new NoMapping(),
                repository);
    }

    @Test
    void namesEachRepositoryOnce() {
        add("login", "shop.user", "login", "Users");
        add("login", "shop.user", "login", "Users");
        add("login", "shop.user", "login", "Logins");
        assertThat(catalog.require("login").repositories()).containsExactly("Users", "Logins");
    }

    @Test
    void knowsAllByName() {
        add("b", "shop.user", "login", "Users");
        add("a", "shop.user", "login", "Users");
        assertThat(catalog.entries())
                .extracting(entry -> entry.constraint().name())
                .containsExactly("a", "b");
    }

    @Test
    void refusesAnotherConstraintOfTheSameName() {
        add("login", "shop.user", "login", "Users");
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> add("login", "shop.member", "login", "Members"))
                .withMessageContaining("on shop.user (login), and on shop.member (login)");
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> add("login", "shop.user", "login, folded", "Members"))
                .satisfies(wrong -> assertThat(wrong.fix()).contains("@UniqueBy(name = ...)"));
        assertThat(catalog.require("login").repositories()).containsExactly("Users");
    }
}
