package io.surewrite.unique;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.test.CassandraTest;
import io.surewrite.unique.ConstrainedRows.EntityWrite;
import java.math.BigDecimal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A key that is written in two ways is one row or two, as Cassandra has it. */
class ComparedKeysIntegrationTests extends CassandraTest {

    private static final UniqueConstraint CODE = UniqueConstraint.on("price_code", "code");
    private static final BigDecimal ONE = new BigDecimal("1.0");
    private static final BigDecimal SAME = new BigDecimal("1.00");

    private static UniqueFixture fixture;
    private static CqlRows clustered;
    private static CqlRows partitioned;
    private static CqlRows tagged;

    private final String shop = "shop " + UUID.randomUUID();
    private final String code = "code " + shop;

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TABLE price (shop text, amount decimal, code text, PRIMARY KEY (shop, amount))");
        session.execute("CREATE TABLE amount (amount decimal, shop text, code text, PRIMARY KEY ((amount, shop)))");
        session.execute("CREATE TABLE tagging (tags frozen<set<text>> PRIMARY KEY, code text)");
        fixture = new UniqueFixture(session, ObservationRegistry.NOOP);
        clustered = fixture.rows("price", CODE);
        partitioned = fixture.rows("amount", UniqueConstraint.on("amount_code", "code"));
        tagged = fixture.rows("tagging", UniqueConstraint.on("tagging_code", "code"));
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    @Test
    void aRowIsNoDuplicateOfItselfAndLeavesNoClaim() {
        fixture.change(clustered, price(ONE, code));
        fixture.change(clustered, price(SAME, code));
        assertThat(count("price")).isEqualTo(1);

        fixture.change(clustered, price(ONE, "new " + code));
        assertThat(claims("price_code")).isEqualTo(1);
        fixture.delete(clustered, price(SAME, "").owner());
        assertThat(count("price")).isZero();
        assertThat(claims("price_code")).isZero();
    }

    @Test
    void twoRowsAreTwo() {
        EntityWrite one = amount(ONE, code);
        EntityWrite other = amount(SAME, "other " + code);
        fixture.change(partitioned, one);
        fixture.change(partitioned, other);
        fixture.delete(partitioned, one.owner());
        assertThat(count("amount")).isEqualTo(1);
        assertThat(fixture.findOwner(partitioned, partitioned.constraints().get(0), "other " + code))
                .contains(other.owner());
    }

    /** The server sorts them. */
    @Test
    void theOrderOfASetMeansNothing() {
        List<String> order = List.of(shop + "b", shop + "a");
        Set<String> tags = new LinkedHashSet<>(order);
        fixture.change(tagged, fixture.write(tagged, "tagging", "tags", tags, "code", code));
        UniqueReport report =
                fixture.constraints("tagging", tagged.constraints().get(0)).repair("tagging_code");
        assertThat(report.isValid()).isTrue();
        fixture.change(
                tagged,
                fixture.write(
                        tagged,
                        "tagging",
                        "tags",
                        new LinkedHashSet<>(List.of(order.get(1), order.get(0))),
                        "code",
                        code));
        assertThat(fixture.findOwner(tagged, tagged.constraints().get(0), code))
                .contains(tagged.owner(Map.of(CqlIdentifier.fromInternal("tags"), tags)));
    }

    private EntityWrite price(BigDecimal amount, String itsCode) {
        return fixture.write(clustered, "price", "shop", shop, "amount", amount, "code", itsCode);
    }

    private EntityWrite amount(BigDecimal amount, String itsCode) {
        return fixture.write(partitioned, "amount", "amount", amount, "shop", shop, "code", itsCode);
    }

    private long count(String table) {
        return session.execute("SELECT shop FROM %s WHERE shop = '%s' ALLOW FILTERING".formatted(table, shop))
                .all()
                .size();
    }

    private static long claims(String constraint) {
        return session.execute("SELECT value FROM surewrite_claim WHERE constraint_name = '%s' ALLOW FILTERING"
                        .formatted(constraint))
                .all()
                .size();
    }
}
