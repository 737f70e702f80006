package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.lease.WithLease;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.test.Refused;
import io.surewrite.write.WriteId;
import io.surewrite.write.WriteOutcome;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.repository.core.support.PropertiesBasedNamedQueries;
import org.springframework.data.repository.query.Param;
import org.springframework.scheduling.annotation.Async;

/** Misuse of the annotation keeps the application from starting, each with its own message. */
class IdempotentRefusalIntegrationTests extends CassandraTest {

    private static Refused refused;

    @BeforeAll
    static void start() {
        session.execute("CREATE TABLE page (id uuid PRIMARY KEY, name text, write_id uuid) WITH gc_grace_seconds = 60");
        session.execute("CREATE TABLE visits (id uuid PRIMARY KEY, n counter)");
        session.execute("CREATE TABLE counted (id uuid PRIMARY KEY, n int, write_id uuid, version bigint)");
        session.execute("CREATE TABLE marked (id uuid PRIMARY KEY, n int, one uuid, other uuid)");
        session.execute("CREATE TABLE listed (id uuid PRIMARY KEY, links list<text>)");
        session.execute("CREATE TABLE versioned (id uuid PRIMARY KEY, version bigint)");
        refused = Refused.of(
                application().withPropertyValues("my.deadline=2m"),
                Pages.class,
                CountsNoVersion.class,
                SavesList.class,
                KeepsVersioned.class,
                DeletesWriteIdInTheKey.class,
                DeletesByOneOfTwo.class,
                SavesCounter.class,
                SavesIntoNowhere.class);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                refusal("Pages.visit", "every attempt counts again"),
                refusal("Pages.add", "now", "the server computes it anew"),
                refusal("Pages.append", "links", "use a set, a map or a frozen list"),
                refusal("Pages.claim", "IF", "by a parameter @WriteId UUID"),
                refusal("Pages.both", "IF", "outside of a batch"),
                refusal("Pages.idInTheKey", "@WriteId does not stand at"),
                refusal("Pages.idNotWritten", "@WriteId does not stand at"),
                refusal("Pages.twoIds", "@WriteId does not stand at"),
                refusal("Pages.keyNotBound", "does not bind each column of the key of page"),
                refusal("Pages.answersNothing", "does not answer whether it held"),
                refusal("Pages.keepsCondition", "conditions, which cannot wait"),
                refusal("Pages.idWithoutRetry", "nothing fills it in"),
                refusal("Pages.outcomeWithoutRetry", "nothing fills it in"),
                refusal("Pages.holdsStill", "may still hold when the write is done"),
                refusal("Pages.deletesWhatIsThere", "may still hold when the write is done"),
                refusal("Writes of the table", "marked put a @WriteId into several columns"),
                refusal("Pages.deleteAll", "truncates the table"),
                refusal("Pages.noAttempt", "There must be at least 1 attempt, but attempts = 0"),
                refusal("Pages.unreadableDeadline", "deadline = 'soon' is no duration"),
                refusal("Pages.deadlineFromProperty", "PT2M is not below gc_grace_seconds = 60", "page"),
                refusal("Pages.backoffUpsideDown", "must not be below the initial one"),
                refusal("Pages.noSuchTemplate", "no WriteRetryTemplate bean 'mine'"),
                refusal("Pages.findByName", "return a CompletableFuture"),
                refusal("Pages.keptWithoutBacklog", "surewrite.backlog.enabled=true"),
                refusal("@WithLease on Pages.leaseWithoutAKey"),
                refusal("CountsNoVersion.change", "does not count up its @Version"),
                refusal("SavesList.save", "links", "keeps the elements of both attempts"),
                refusal("KeepsVersioned.save", "conditions, which cannot wait"),
                refusal("DeletesWriteIdInTheKey.deleteById", "@WriteId stands at id"),
                refusal("DeletesByOneOfTwo.remove", "@WriteId stands at", " and "),
                refusal("SavesCounter.save"),
                refusal("SavesCounter.deleteByName"),
                refusal("SavesIntoNowhere.save", "the table nowhere of Nowhere does not exist"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refusesToStart(String[] messages) {
        refused.saying(messages);
    }

    @Test
    void startsWithWhatIsIdempotent() {
        OwnServer.with(AllRight.class, application())
                .withPropertyValues("my.deadline=2s")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBean(AllRight.class).deleteAll();
                });
    }

    @Test
    void judgesTheStatementsOfAFileOfNamedQueries() {
        Properties queries = new Properties();
        queries.put("Page.renameAll", "UPDATE page SET name = name + 'x' WHERE id = ?0");
        queries.put("Page.deleteByName", "DELETE name FROM page WHERE id = ?0 IF EXISTS");
        queries.put("Page.deleteByQuery", "DELETE name FROM page WHERE id = ?0 IF EXISTS");
        Refused found = Refused.of(OwnServer.with(NamedQueried.class, application())
                .withInitializer(
                        context -> context.addBeanFactoryPostProcessor(beans -> beans.getBeanDefinition("NamedQueried")
                                .getPropertyValues()
                                .add("namedQueries", new PropertiesBasedNamedQueries(queries)))));
        found.saying("NamedQueried.renameAll", "(line 1, column ");
        found.saying("NamedQueried.deleteByName", "(line 1, column ");
        found.saying("NamedQueried.deleteByQuery", "(line 1, column ");
    }

    @Test
    void looksAtNothingWhenSwitchedOff() {
        OwnServer.with(SavesList.class, application())
                .withPropertyValues("surewrite.retry.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static Arguments refusal(String... messages) {
        return Arguments.of((Object) messages);
    }

    @Table("page")
    record Page(@Id UUID id, String name) {}

    @Table("page")
    record Keyed(@Id @WriteId UUID id, String name) {}

    @Table("page")
    record Twice(
            @Id UUID id,
            @WriteId UUID name,
            @WriteId @Column("write_id") UUID writeId) {}

    @Table("visits")
    record Visits(@Id UUID id, String name, long n) {}

    @Table("listed")
    record Listed(@Id UUID id, List<String> links) {}

    @Table("versioned")
    record Versioned(@Id UUID id, @Version long version) {}

    @Table("counted")
    record Counted(
            @Id UUID id,
            int n,
            @WriteId @Column("write_id") UUID writeId,
            @Version Long version) {}

    @Table("nowhere")
    record Nowhere(@Id UUID id) {}

    interface Pages extends CassandraRepository<Page, UUID> {

        String RENAME = "UPDATE page SET name = ?0 WHERE id = ?1";

        @Idempotent
        @Query("UPDATE visits SET n = n + 1 WHERE id = ?0")
        void visit(UUID id);

        @Idempotent
        @Query("INSERT INTO page (id, name) VALUES (now(), ?0)")
        void add(String name);

        @Idempotent
        @Query("UPDATE listed SET links = links + ?0 WHERE id = ?1")
        void append(List<String> links, UUID id);

        @Idempotent
        @Query("INSERT INTO page (id, name) VALUES (?0, ?1) IF NOT EXISTS")
        void claim(UUID id, String name);

        @Idempotent
        @Query(
                "BEGIN BATCH UPDATE page SET name = ?1, write_id = ?2 WHERE id = ?0 IF name = 'a'; DELETE FROM page WHERE id = ?0; APPLY BATCH")
        boolean both(UUID id, String name, @WriteId UUID writeId);

        @Idempotent
        @Query("INSERT INTO page (id, name) VALUES (:id, 'a') IF NOT EXISTS")
        boolean idInTheKey(@WriteId UUID id);

        @Idempotent
        @Query("UPDATE page SET name = :name WHERE id = :id IF write_id = :writeId")
        boolean idNotWritten(UUID id, String name, @WriteId UUID writeId);

        @Idempotent
        @Query("UPDATE page SET name = :name, write_id = :one WHERE id = :id IF write_id = :other")
        boolean twoIds(UUID id, String name, @WriteId UUID one, @WriteId UUID other);

        @Idempotent
        @Query("UPDATE page SET name = ?0, write_id = ?1 WHERE id = 00000000-0000-0000-0000-000000000001 IF name = 'a'")
        boolean keyNotBound(String name, @WriteId UUID writeId);

        @Idempotent
        @Query("UPDATE page SET name = ?1, write_id = ?2 WHERE id = ?0 IF name = 'a'")
        void answersNothing(UUID id, String name, @WriteId UUID writeId);

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        @Query("DELETE FROM page WHERE id = ?0 IF EXISTS")
        boolean keepsCondition(UUID id);

        @Query("UPDATE page SET name = ?1, write_id = ?2 WHERE id = ?0 IF name = 'a'")
        boolean idWithoutRetry(UUID id, String name, @WriteId UUID writeId);

        @Query("DELETE FROM page WHERE id = ?0 IF EXISTS")
        WriteOutcome outcomeWithoutRetry(UUID id);

        @Idempotent
        @Query("UPDATE page SET write_id = ?1 WHERE id = ?0 IF name = 'a'")
        boolean holdsStill(UUID id, @WriteId UUID writeId);

        @Idempotent
        @Query("DELETE FROM page WHERE id = ?0 IF EXISTS")
        boolean deletesWhatIsThere(UUID id);

        @Idempotent
        @Query("UPDATE marked SET n = 1, one = ?1 WHERE id = ?0 IF n = 0")
        boolean marksOne(UUID id, @WriteId UUID writeId);

        @Idempotent
        @Query("UPDATE marked SET n = 1, other = ?1 WHERE id = ?0 IF n = 0")
        boolean marksOther(UUID id, @WriteId UUID writeId);

        @Override
        @Idempotent
        void deleteAll();

        @Idempotent(attempts = 0)
        @Query(RENAME)
        void noAttempt(String name, UUID id);

        @Idempotent(deadline = "soon")
        @Query(RENAME)
        void unreadableDeadline(String name, UUID id);

        @Idempotent(deadline = "${my.deadline}")
        @Query(RENAME)
        void deadlineFromProperty(String name, UUID id);

        @Idempotent(initialBackoff = "5s", maxBackoff = "1s")
        @Query(RENAME)
        void backoffUpsideDown(String name, UUID id);

        @Idempotent(template = "mine")
        @Query(RENAME)
        void noSuchTemplate(String name, UUID id);

        @Async
        @Idempotent
        Future<Page> findByName(String name);

        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        @Query(RENAME)
        void keptWithoutBacklog(String name, UUID id);

        @Idempotent
        @WithLease(key = "'page:' + (")
        @Query(RENAME)
        void leaseWithoutAKey(String name, UUID id);
    }

    interface NamedQueried extends CassandraRepository<Page, UUID> {

        @Idempotent
        void renameAll(UUID id);

        @Idempotent
        void deleteByQuery(UUID id);

        @Idempotent
        @Query("DELETE FROM page WHERE id = ?0")
        void deleteByName(UUID id);
    }

    interface CountsNoVersion extends CassandraRepository<Counted, UUID> {
        @Idempotent
        @Query("UPDATE counted SET n = :n, write_id = :writeId WHERE id = :id IF n = :seen")
        boolean change(UUID id, int n, int seen, @WriteId UUID writeId);
    }

    interface SavesList extends CassandraRepository<Listed, UUID> {
        @Override
        @Idempotent
        <S extends Listed> S save(S listed);
    }

    interface KeepsVersioned extends CassandraRepository<Versioned, UUID> {
        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        <S extends Versioned> S save(S versioned);
    }

    interface DeletesWriteIdInTheKey extends CassandraRepository<Keyed, UUID> {
        @Override
        @Idempotent
        void deleteById(UUID id);
    }

    interface DeletesByOneOfTwo extends CassandraRepository<Twice, UUID> {
        @Idempotent
        @Query("DELETE FROM page WHERE id = ?0 IF EXISTS")
        boolean remove(UUID id);
    }

    interface SavesCounter extends CassandraRepository<Visits, UUID> {
        @Override
        @Idempotent
        <S extends Visits> S save(S visits);

        @Idempotent
        void deleteByName(String name);
    }

    interface SavesIntoNowhere extends CassandraRepository<Nowhere, UUID> {
        @Override
        @Idempotent
        <S extends Nowhere> S save(S nowhere);
    }

    @Idempotent
    interface AllRight extends CassandraRepository<Page, UUID> {
        @Query("UPDATE page SET name = ?0 WHERE id = ?1")
        void rename(String name, UUID id);

        @Idempotent(deadline = "${my.deadline}")
        @Query("UPDATE page SET name = ?0 WHERE id = ?1")
        void renameSoon(String name, UUID id);

        @Query("UPDATE page SET name = :#{#page.name}, write_id = :by WHERE id = :#{#page.id} IF name = :name")
        boolean renameFrom(Page page, String name, @Param("by") @WriteId UUID writeId);

        List<Page> findByName(String name);
    }
}
