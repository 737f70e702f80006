package io.surewrite.internal.cql;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.surewrite.internal.cql.RowText.Action;
import io.surewrite.internal.cql.RowText.Term;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RowTextTests {

    private static final Term FIRST = new Term(0, "", false);
    private static final Term SECOND = new Term(1, "", false);

    private static CqlIdentifier name(String name) {
        return CqlIdentifier.fromInternal(name);
    }

    private static RowText rows(String cql) {
        return Objects.requireNonNull(CqlText.of(cql).rows());
    }

    @Test
    void tellsTheMarkerOfEachColumnOfAnInsert() {
        RowText insert =
                rows("INSERT INTO ks.\"T\" (id, /* ?, */ \"If\", note, tags, at) VALUES (?, :Login, NULL, {?, '?'}, ?)"
                        + " USING TTL ? AND TIMESTAMP 5;");
        assertThat(insert.action()).isEqualTo(Action.INSERT);
        assertThat(insert.table()).isEqualTo(new CqlText.Name(name("ks"), name("T")));
        assertThat(insert.values())
                .isEqualTo(Map.of(
                        name("id"),
                        FIRST,
                        name("If"),
                        new Term(1, "login", false),
                        name("note"),
                        Term.NULL,
                        name("tags"),
                        Term.COMPUTED,
                        name("at"),
                        new Term(3, "", false)));
        assertThat(insert.ttl()).isEqualTo(new Term(4, "", false));
    }

    @Test
    void tellsColumnsAndKeyOfAnUpdate() {
        RowText update = rows(
                "UPDATE t USING TTL 7 SET a = ?, b = ?, c = c + ?, d[?] = 'x', e.f = ? WHERE k = ? AND l IN (?, ?) IF"
                        + " a = ?");
        assertThat(update.action()).isEqualTo(Action.UPDATE);
        assertThat(update.values())
                .isEqualTo(Map.of(
                        name("a"), FIRST,
                        name("b"), SECOND,
                        name("c"), Term.COMPUTED,
                        name("d"), Term.COMPUTED,
                        name("e"), Term.COMPUTED));
        assertThat(update.key())
                .isEqualTo(Map.of(
                        name("k"), List.of(new Term(5, "", false)),
                        name("l"), List.of(new Term(6, "", false), new Term(7, "", false))));
        assertThat(update.ttl()).isEqualTo(Term.COMPUTED);
    }

    @Test
    void tellsWhichRowsAreDeleted() {
        assertThat(rows("DELETE FROM t WHERE k = ? AND l IN ?").key())
                .isEqualTo(Map.of(name("k"), List.of(FIRST), name("l"), List.of(new Term(1, "", true))));
        assertThat(rows("DELETE FROM t WHERE k = ? AND l > ?").key())
                .isEqualTo(Map.of(name("k"), List.of(FIRST), name("l"), List.of(Term.COMPUTED)));
        assertThat(rows("DELETE FROM t WHERE k >= ? AND k = ?").key()).containsEntry(name("k"), List.of(Term.COMPUTED));
        assertThat(rows("DELETE a, b['?'] FROM t WHERE k = ?").action()).isEqualTo(Action.EMPTY);
        assertThat(rows("TRUNCATE TABLE ks.t").action()).isEqualTo(Action.TRUNCATE);
    }
}
