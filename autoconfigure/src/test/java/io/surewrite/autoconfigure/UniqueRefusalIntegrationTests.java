package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.datastax.oss.driver.api.core.data.CqlDuration;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.test.Refused;
import io.surewrite.unique.DuplicateValueException;
import io.surewrite.unique.UniqueBy;
import io.surewrite.write.InvalidConfigurationException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.mapping.Embedded;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;

/** What cannot be guarded keeps the application from starting, and says what to do instead. */
class UniqueRefusalIntegrationTests extends CassandraTest {

    private static Refused refused;

    @BeforeAll
    static void start() {
        session.execute("CREATE TABLE person (id uuid PRIMARY KEY, login text, friends frozen<list<text>>,"
                + " street text, note text, span duration)");
        session.execute("CREATE TABLE tagged (id uuid PRIMARY KEY, login text, tags list<text>)");
        session.execute("CREATE TABLE numbered (id uuid PRIMARY KEY, login text, version bigint)");
        session.execute("CREATE TABLE hasty (id uuid PRIMARY KEY, login text) WITH gc_grace_seconds = 60");
        refused = Refused.of(
                OwnServer.with(NamedLogin.class, OwnServer.with(WritesNotes.class, application())),
                refusals().map(refusal -> refusal.get()[0]).toArray(Class<?>[]::new));
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                refusal(Unknown.class, "no property 'telephone'", "Name one of id, login"),
                refusal(OfAList.class, "'friends' is a collection", "UniqueGuard.claim"),
                refusal(OfADuration.class, "has the type duration, which has no comparable form"),
                refusal(OfAnEmbedded.class, "'place' has several columns", "place.street"),
                refusal(PastAColumn.class, "'login.length' goes on after a column"),
                refusal(OfNothing.class, "names no property", "@UniqueBy(\"property\")"),
                refusal(OnAFinder.class, "OnAFinder.findByLogin", "writes no entity", "Put it on"),
                refusal(OnADeletion.class, "OnADeletion.deleteById", "deletions always free"),
                refusal(NoSuchNormaliser.class, "'phonetic', but there is no such bean"),
                refusal(UpdatesLogin.class, "UpdatesLogin.rename", "a unique value, and not the whole row", "Fix: "),
                refusal(DeletesByQuery.class, "DeletesByQuery.purge", "does not name by their primary keys", "Fix: "),
                refusal(InsertsLiterals.class, "InsertsLiterals.add", "not every value is a parameter", "Fix: "),
                refusal(InsertsAPart.class, "InsertsAPart.add", "does not name the columns [note]", "Fix: "),
                refusal(InsertsJson.class, "InsertsJson.add", "nobody sees the values", "Fix: "),
                refusal(
                        DeletesByName.class,
                        "DeletesByName.deleteByNote",
                        "by its name",
                        "findBy",
                        "deleteAll(entities)"),
                refusal(Versioned.class, "has a @Version"),
                refusal(Tagged.class, "tags of table tagged", "a list that is not frozen", "Use a set"),
                refusal(Hasty.class, "gc_grace_seconds = 60"),
                refusal(Nowhere.class, "no table nowhere", "Create the table first"),
                refusal(NamedNote.class, "Two unique constraints have the name 'the-one'"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refusesToStart(Class<?> repository, String[] messages) {
        InvalidConfigurationException refusal = refused.saying(messages);
        assertThat(new SurewriteFailureAnalyzer().analyze(refusal).getAction())
                .startsWith("Fix: " + refusal.fix())
                .contains("What it means: https://", "/docs/unique.md ");
    }

    @Test
    void allowsQueriesThatDoNotTouchWhatIsUnique() {
        refused.sayingNothingOf("WritesNotes");
    }

    /** On one method a constraint counts for the table, as on the interface. */
    @Test
    void guardsWhatAnotherRepositoryOfTheTableHas() {
        OwnServer.with(UniqueNote.class, OwnServer.with(OnlyInserts.class, application()))
                .run(context -> {
                    OnlyInserts first = context.getBean(OnlyInserts.class);
                    UniqueNote second = context.getBean(UniqueNote.class);
                    first.insert(new Person(UUID.randomUUID(), "of two", List.of(), "first", null, null));
                    Person login = new Person(UUID.randomUUID(), "of two", List.of(), "second", null, new Place(""));
                    Person note = new Person(UUID.randomUUID(), "of neither", List.of(), "first", null, new Place(""));
                    for (ThrowingCallable write : List.<ThrowingCallable>of(
                            () -> second.insert(login),
                            () -> second.save(login),
                            () -> first.save(login),
                            () -> first.insert(note),
                            () -> first.save(note))) {
                        assertThatExceptionOfType(DuplicateValueException.class).isThrownBy(write);
                    }
                });
    }

    private static Arguments refusal(Class<?> repository, String... messages) {
        return Arguments.of(repository, messages);
    }

    record Place(String street) {}

    @Table("person")
    record Person(
            @PrimaryKey UUID id,
            String login,
            List<String> friends,
            String note,
            CqlDuration span,
            @Embedded.Nullable Place place) {}

    @Table("tagged")
    record Labelled(@PrimaryKey UUID id, String login) {}

    @Table("numbered")
    record Numbered(
            @PrimaryKey UUID id,
            String login,
            @Version @Nullable Long version) {}

    @Table("hasty")
    record Quick(@PrimaryKey UUID id, String login) {}

    @Table("nowhere")
    record Lost(@PrimaryKey UUID id, String login) {}

    @UniqueBy("telephone")
    interface Unknown extends CassandraRepository<Person, UUID> {}

    @UniqueBy("friends")
    interface OfAList extends CassandraRepository<Person, UUID> {}

    @UniqueBy("span")
    interface OfADuration extends CassandraRepository<Person, UUID> {}

    @UniqueBy("place")
    interface OfAnEmbedded extends CassandraRepository<Person, UUID> {}

    @UniqueBy("login.length")
    interface PastAColumn extends CassandraRepository<Person, UUID> {}

    @UniqueBy({})
    interface OfNothing extends CassandraRepository<Person, UUID> {}

    @UniqueBy(value = "login", normalisers = "phonetic")
    interface NoSuchNormaliser extends CassandraRepository<Person, UUID> {}

    interface OnAFinder extends CassandraRepository<Person, UUID> {
        @UniqueBy("login")
        @Query("SELECT * FROM person WHERE login = ?0 ALLOW FILTERING")
        List<Person> findByLogin(String login);
    }

    interface OnADeletion extends CassandraRepository<Person, UUID> {
        @UniqueBy("login")
        @Override
        void deleteById(UUID id);
    }

    interface OnlyInserts extends CassandraRepository<Person, UUID> {
        @UniqueBy("login")
        @Override
        <S extends Person> S insert(S person);
    }

    @UniqueBy("login")
    interface UpdatesLogin extends CassandraRepository<Person, UUID> {
        @Query("UPDATE person SET Login = ?1 WHERE id = ?0")
        void rename(UUID id, String login);
    }

    @UniqueBy("login")
    interface DeletesByQuery extends CassandraRepository<Person, UUID> {
        @Query("/* for good */ DELETE FROM person WHERE id > ?0")
        void purge(UUID id);
    }

    /** As a template spells the insert of an entity without a note. */
    @UniqueBy("login")
    @UniqueBy("note")
    interface InsertsAPart extends CassandraRepository<Person, UUID> {
        @Query("INSERT INTO person (id,login) VALUES (?0,?1)")
        void add(UUID id, String login);
    }

    @UniqueBy("login")
    interface InsertsLiterals extends CassandraRepository<Person, UUID> {
        @Query("INSERT INTO person (id, login) VALUES (?0, 'admin')")
        void add(UUID id);
    }

    @UniqueBy("login")
    interface InsertsJson extends CassandraRepository<Person, UUID> {
        @Query("INSERT INTO person JSON ?0")
        void add(String json);
    }

    @UniqueBy("login")
    interface DeletesByName extends CassandraRepository<Person, UUID> {
        void deleteByNote(String street);
    }

    @UniqueBy("login")
    interface WritesNotes extends CassandraRepository<Person, UUID> {
        @Query("UPDATE person SET note = 'a new login' WHERE id = ?0")
        void note(UUID id);

        @Query("DELETE note FROM person WHERE id = ?0")
        void forget(UUID id);

        @Query("SELECT * FROM person WHERE login = ?0 ALLOW FILTERING")
        List<Person> byLogin(String login);
    }

    @UniqueBy(value = "login", name = "the-one")
    interface NamedLogin extends CassandraRepository<Person, UUID> {}

    @UniqueBy("note")
    interface UniqueNote extends CassandraRepository<Person, UUID> {}

    @UniqueBy(value = "note", name = "the-one")
    interface NamedNote extends CassandraRepository<Person, UUID> {}

    @UniqueBy("login")
    interface Versioned extends CassandraRepository<Numbered, UUID> {}

    @UniqueBy("login")
    interface Tagged extends CassandraRepository<Labelled, UUID> {}

    @UniqueBy("login")
    interface Hasty extends CassandraRepository<Quick, UUID> {}

    @UniqueBy("login")
    interface Nowhere extends CassandraRepository<Lost, UUID> {}
}
