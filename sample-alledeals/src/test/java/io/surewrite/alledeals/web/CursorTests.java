package io.surewrite.alledeals.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTests {

    private final List<UUID> ids = List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
    private final Cursor cursor = new Cursor("list 1");

    @Test
    void pointsBehindTheLastOfItsPage() {
        Cursor.Page<UUID> page = cursor.page(ids, 2, Function.identity());

        assertThat(page.items()).isEqualTo(ids.subList(0, 2));
        assertThat(cursor.read(page.next())).isEqualTo(ids.get(1));
    }

    @Test
    void endsWithTheLastPage() {
        assertThat(cursor.page(ids, 3, Function.identity()).next()).isNull();
    }

    @Test
    void isRefusedByAnotherList() {
        String next = cursor.page(ids, 2, Function.identity()).next();

        assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> new Cursor("list 2").read(next));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "ü"})
    void refusesWhatIsNoCursor(String garbage) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> cursor.read(garbage))
                .satisfies(refusal -> assertThat(refusal.fields())
                        .extracting(FieldProblem::field)
                        .containsExactly("cursor"));
    }
}
