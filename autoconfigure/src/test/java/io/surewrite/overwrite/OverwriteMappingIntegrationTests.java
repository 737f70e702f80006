package io.surewrite.overwrite;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.data.CqlVector;
import com.datastax.oss.driver.api.core.data.TupleValue;
import com.datastax.oss.driver.api.core.type.DataTypes;
import io.surewrite.overwrite.OverwritePlan.OverwriteKind;
import io.surewrite.test.CassandraTest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.data.annotation.ReadOnlyProperty;
import org.springframework.data.annotation.Transient;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.BasicMapId;
import org.springframework.data.cassandra.core.mapping.CassandraType;
import org.springframework.data.cassandra.core.mapping.Element;
import org.springframework.data.cassandra.core.mapping.Embedded;
import org.springframework.data.cassandra.core.mapping.Frozen;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyClass;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.core.mapping.Tuple;
import org.springframework.data.cassandra.core.mapping.UserDefinedType;

class OverwriteMappingIntegrationTests extends CassandraTest {

    private static OverwriteFixture fixture;
    private static RowOverwrites overwrites;

    private final UUID id = UUID.randomUUID();

    @UserDefinedType("address")
    record Address(String street, String city) {}

    @Tuple
    record Pair(@Element(0) String left, @Element(1) Integer right) {}

    record Origin(String country, String region) {}

    @Table("parcel")
    record Parcel(
            @PrimaryKey UUID id,
            @Frozen Address sender,
            Address receiver,
            Pair pair,

            @CassandraType(
                    type = CassandraType.Name.TUPLE,
                    typeArguments = {CassandraType.Name.TEXT, CassandraType.Name.INT})
            TupleValue tuple,

            @Frozen List<String> notes,
            @Frozen Set<String> labels,
            Set<@Frozen Address> stops,
            Map<String, @Frozen Address> contacts,
            CqlVector<Float> embedding,
            @Embedded.Nullable(prefix = "origin_") Origin origin) {}

    @PrimaryKeyClass
    record VisitKey(
            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED, ordinal = 0)
            String site,

            @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED, ordinal = 1)
            int year,

            @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED, ordinal = 2)
            Instant at) {}

    @Table("visit")
    record Visit(@PrimaryKey VisitKey key, String page, String agent) {}

    @Table("shared")
    record Part(
            @PrimaryKey UUID id,
            String mine,
            Set<String> tags,
            @ReadOnlyProperty String computed,
            @Transient String dream) {}

    @BeforeAll
    static void createTables() {
        session.execute("CREATE TYPE address (street text, city text)");
        session.execute("""
                CREATE TABLE parcel (id uuid PRIMARY KEY, sender frozen<address>, receiver address,
                pair frozen<tuple<text, int>>, tuple frozen<tuple<text, int>>, notes frozen<list<text>>,
                labels frozen<set<text>>, stops set<frozen<address>>, contacts map<text, frozen<address>>,
                embedding vector<float, 3>, origin_country text, origin_region text)""");
        session.execute("""
                CREATE TABLE visit (site text, year int, at timestamp, page text, agent text,
                PRIMARY KEY ((site, year), at))""");
        session.execute(
                "CREATE TABLE shared (id uuid PRIMARY KEY, mine text, tags set<text>, computed text, theirs text)");
        fixture = OverwriteFixture.on(session);
        overwrites = fixture.overwrites();
    }

    @Test
    void writesAndEmptiesEveryKindOfColumn() {
        Address address = new Address("Main Street", "Bonn");
        Parcel parcel = new Parcel(
                id,
                address,
                address,
                new Pair("left", 1),
                DataTypes.tupleOf(DataTypes.TEXT, DataTypes.INT).newValue("a", 1),
                List.of("x", "x"),
                Set.of("fragile"),
                Set.of(address),
                Map.of("home", address),
                CqlVector.newInstance(1f, 2f, 3f),
                new Origin("DE", "NRW"));
        overwrites.overwrite(parcel);
        assertThat(fixture.template().selectOneById(id, Parcel.class)).isEqualTo(parcel);

        overwrites.overwrite(new Parcel(id, null, null, null, null, null, null, null, null, null, null));
        Row row = session.execute("SELECT * FROM parcel WHERE id = ?", id).one();
        assertThat(row.getColumnDefinitions())
                .filteredOn(column -> !row.isNull(column.getName()))
                .extracting(column -> column.getName().asInternal())
                .containsExactly("id");
    }

    @Test
    void replacesPartitionsWithSeveralKeyColumns() {
        VisitKey key = new VisitKey("blog", 2026, Instant.ofEpochMilli(1));
        overwrites.overwrite(new Visit(key, "old", null));
        Visit visit = new Visit(new VisitKey("blog", 2026, Instant.ofEpochMilli(2)), "new", null);

        overwrites.overwritePartition(Visit.class, BasicMapId.id("site", "blog").with("year", 2026), List.of(visit));
        assertThat(fixture.template().select("SELECT * FROM visit WHERE site = 'blog' AND year = 2026", Visit.class))
                .containsExactly(visit);

        overwrites.overwritePartition(Visit.class, key, List.of());
        assertThat(fixture.template().select("SELECT * FROM visit WHERE site = 'blog' AND year = 2026", Visit.class))
                .isEmpty();
    }

    @Test
    void keepsColumnsThatTheEntityDoesNotWriteAtThePriceOfTombstones() {
        session.execute("INSERT INTO shared (id, computed, theirs) VALUES (?, 'computed', 'theirs')", id);
        overwrites.overwrite(new Part(id, "mine", Set.of("a", "b"), null, null));

        overwrites.overwrite(new Part(id, null, Set.of("b"), "ignored", "dream"));

        Row row = session.execute("SELECT * FROM shared WHERE id = ?", id).one();
        assertThat(row.getString("mine")).isNull();
        assertThat(row.getSet("tags", String.class)).containsExactly("b");
        assertThat(row.getString("computed")).isEqualTo("computed");
        assertThat(row.getString("theirs")).isEqualTo("theirs");
        assertThat(fixture.factory()
                        .planner
                        .overwrite(new Part(id, null, null, null, null), OverwriteOptions.none(), 1)
                        .kind())
                .isEqualTo(OverwriteKind.NULLS);
    }
}
