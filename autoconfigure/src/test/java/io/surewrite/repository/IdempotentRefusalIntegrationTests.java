package io.surewrite.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.lease.WithLease;
import io.surewrite.retry.Idempotent;
import io.surewrite.retry.Idempotent.WhenExhausted;
import io.surewrite.test.CassandraTest;
import io.surewrite.test.OwnServer;
import io.surewrite.test.Refused;
import io.surewrite.test.SeveralKeyspaces;
import io.surewrite.write.WriteId;
import io.surewrite.write.WriteOutcome;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.cassandra.repository.support.CassandraRepositoryFactoryBean;
import org.springframework.data.repository.core.NamedQueries;
import org.springframework.data.repository.core.support.PropertiesBasedNamedQueries;
import org.springframework.data.repository.query.Param;
import org.springframework.scheduling.annotation.Async;

/** Misuse of the annotation keeps the application from starting, each with its own message. */
@SeveralKeyspaces
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
                refusals().map(refusal -> refusal.get()[0]).toArray(Class<?>[]::new));
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                refusal(CountsVisits.class, "CountsVisits.visit", "every attempt counts again"),
                refusal(UsesNow.class, "UsesNow.add", "now", "the server computes it anew"),
                refusal(AppendsToList.class, "AppendsToList.append", "links", "use a set, a map or a frozen list"),
                refusal(IsConditional.class, "IsConditional.claim", "IF", "by a parameter @WriteId UUID"),
                refusal(EmptiesOnCondition.class, "EmptiesOnCondition.empty", "IF", "by a parameter @WriteId UUID"),
                refusal(BatchOnCondition.class, "BatchOnCondition.both", "IF", "outside of a batch"),
                refusal(WriteIdOfText.class, "WriteIdOfText.rename", "@WriteId does not stand at"),
                refusal(WriteIdInTheKey.class, "WriteIdInTheKey.begin", "@WriteId does not stand at"),
                refusal(WriteIdNotWritten.class, "WriteIdNotWritten.rename", "@WriteId does not stand at"),
                refusal(TwoWriteIds.class, "TwoWriteIds.rename", "@WriteId does not stand at"),
                refusal(KeyNotBound.class, "KeyNotBound.rename", "does not bind each column of the key of page"),
                refusal(AnswersNothing.class, "AnswersNothing.rename", "does not answer whether it held"),
                refusal(AnswersEntity.class, "AnswersEntity.rename", "does not answer whether it held"),
                refusal(KeepsCondition.class, "KeepsCondition.end", "conditions, which cannot wait"),
                refusal(WriteIdWithoutRetry.class, "WriteIdWithoutRetry.rename", "nothing fills it in"),
                refusal(WriteIdWithoutCondition.class, "WriteIdWithoutCondition.rename", "nothing fills it in"),
                refusal(OutcomeWithoutRetry.class, "OutcomeWithoutRetry.end", "nothing fills it in"),
                refusal(CountsNoVersion.class, "CountsNoVersion.change", "does not count up its @Version"),
                refusal(HoldsStill.class, "HoldsStill.sign", "may still hold when the write is done"),
                refusal(DeletesWhatIsThere.class, "DeletesWhatIsThere.end", "may still hold when the write is done"),
                refusal(MarksTwoColumns.class, "Writes of the table", "marked put a @WriteId into several columns"),
                refusal(SavesList.class, "SavesList.save", "links", "keeps the elements of both attempts"),
                refusal(SavesListWithTheInterface.class, "links", "keeps the elements of both attempts"),
                refusal(KeepsVersioned.class, "KeepsVersioned.save", "conditions, which cannot wait"),
                refusal(SavesWriteIdOfText.class, "SavesWriteIdOfText.save", "@WriteId stands at who"),
                refusal(DeletesWriteIdInTheKey.class, "DeletesWriteIdInTheKey.deleteById", "@WriteId stands at id"),
                refusal(DeletesByOneOfTwo.class, "DeletesByOneOfTwo.remove", "@WriteId stands at", " and "),
                refusal(SavesCounter.class, "SavesCounter.save"),
                refusal(DeletesCounterByName.class, "DeletesCounterByName.deleteByName"),
                refusal(
                        SavesIntoNowhere.class,
                        "SavesIntoNowhere.save",
                        "the table nowhere of Nowhere does not exist",
                        "page"),
                refusal(Truncates.class, "Truncates.deleteAll", "truncates the table"),
                refusal(NoAttempt.class, "NoAttempt.save", "There must be at least 1 attempt, but attempts = 0"),
                refusal(NegativeDeadline.class, "NegativeDeadline.save", "The deadline must be positive"),
                refusal(LateDeadline.class, "LateDeadline.save", "PT1M is not below gc_grace_seconds = 60", "page"),
                refusal(UnreadableDeadline.class, "UnreadableDeadline.save", "deadline = 'soon' is no duration"),
                refusal(BackoffUpsideDown.class, "BackoffUpsideDown.save", "must not be below the initial one"),
                refusal(NoSuchTemplate.class, "NoSuchTemplate.save", "no WriteRetryTemplate bean 'mine'"),
                refusal(AnswersByFuture.class, "AnswersByFuture.findByName", "return a CompletableFuture"),
                refusal(DeadlineFromProperty.class, "DeadlineFromProperty.save", "PT2M is not below gc_grace_seconds"),
                refusal(KeptWithoutBacklog.class, "KeptWithoutBacklog.save", "surewrite.backlog.enabled=true"),
                refusal(LeaseWithoutAKey.class, "@WithLease on LeaseWithoutAKey"),
                refusal(LeaseWithABadTtl.class, "@WithLease on LeaseWithABadTtl"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refusesToStart(Class<?> repository, String[] messages) {
        refused.saying(messages);
    }

    @Test
    void startsWithWhatIsIdempotent() {
        OwnServer.with(DeadlineFromProperty.class, application(AllRight.class))
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
        ApplicationContextRunner application = application();
        for (Class<?> repository : List.of(RenamesByNamedQuery.class, DeletesByNamedQuery.class, DeletesByName.class)) {
            application = with(repository, new PropertiesBasedNamedQueries(queries), application);
        }
        Refused found = Refused.of(application);
        found.saying("RenamesByNamedQuery.renameAll", "(line 1, column ");
        found.saying("DeletesByNamedQuery.deleteByName", "(line 1, column ");
        found.saying("DeletesByName.deleteByName", "(line 1, column ");
    }

    @Test
    void looksAtNothingWhenSwitchedOff() {
        application(CountsVisits.class)
                .withPropertyValues("surewrite.retry.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    interface LeaseWithoutAKey extends CassandraRepository<Page, UUID> {
        @Idempotent
        @WithLease(key = "'page:' + (")
        @Override
        <S extends Page> S save(S page);
    }

    @Test
    void saysThatAKeyspaceHasNoTableYet() {
        session.execute(
                "CREATE KEYSPACE nothing_here WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        application(SavesIntoNowhere.class)
                .withPropertyValues("spring.cassandra.keyspace-name=nothing_here", "surewrite.schema.initialize=never")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("does not exist; its keyspace has no table yet."));
    }

    interface LeaseWithABadTtl extends CassandraRepository<Page, UUID> {
        @Idempotent
        @WithLease(key = "'page'", ttl = "1500ms")
        @Override
        <S extends Page> S save(S page);
    }

    private static ApplicationContextRunner application(Class<?> repository) {
        return with(repository, PropertiesBasedNamedQueries.EMPTY, application());
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    private static ApplicationContextRunner with(
            Class<?> repository, NamedQueries queries, ApplicationContextRunner application) {
        return application.withBean(
                repository.getSimpleName(),
                CassandraRepositoryFactoryBean.class,
                () -> new CassandraRepositoryFactoryBean(repository),
                definition -> definition
                        .getPropertyValues()
                        .add("namedQueries", queries)
                        .add("cassandraTemplate", new RuntimeBeanReference(CassandraTemplate.class)));
    }

    private static Arguments refusal(Class<?> repository, String... messages) {
        return Arguments.of(repository, messages);
    }

    @Table("page")
    record Page(@Id UUID id, String name) {}

    @Table("page")
    record Named(@Id UUID id, @WriteId @Column("name") String who) {}

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

    interface CountsVisits extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("UPDATE visits SET n = n + 1 WHERE id = ?0")
        void visit(UUID id);
    }

    interface RenamesByNamedQuery extends CassandraRepository<Page, UUID> {
        @Idempotent
        void renameAll(UUID id);
    }

    interface DeletesByNamedQuery extends CassandraRepository<Page, UUID> {
        @Idempotent
        void deleteByName(UUID id);
    }

    interface DeletesByName extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("DELETE FROM page WHERE id = ?0")
        void deleteByName(UUID id);
    }

    interface UsesNow extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("INSERT INTO page (id, name) VALUES (now(), ?0)")
        void add(String name);
    }

    interface AppendsToList extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("UPDATE listed SET links = links + ?0 WHERE id = ?1")
        void append(List<String> links, UUID id);
    }

    interface IsConditional extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("INSERT INTO page (id, name) VALUES (?0, ?1) IF NOT EXISTS")
        void claim(UUID id, String name);
    }

    interface EmptiesOnCondition extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("DELETE name FROM page WHERE id = ?0 IF name = ?1")
        boolean empty(UUID id, String name);
    }

    interface BatchOnCondition extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query(
                "BEGIN BATCH UPDATE page SET name = ?1, write_id = ?2 WHERE id = ?0 IF name = 'a'; DELETE FROM page WHERE id = ?0; APPLY BATCH")
        boolean both(UUID id, String name, @WriteId UUID writeId);
    }

    interface WriteIdOfText extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("UPDATE page SET name = ?1 WHERE id = ?0 IF name = 'a'")
        boolean rename(UUID id, @WriteId String name);
    }

    interface WriteIdInTheKey extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("INSERT INTO page (id, name) VALUES (:id, 'a') IF NOT EXISTS")
        boolean begin(@WriteId UUID id);
    }

    interface WriteIdNotWritten extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("UPDATE page SET name = :name WHERE id = :id IF write_id = :writeId")
        boolean rename(UUID id, String name, @WriteId UUID writeId);
    }

    interface TwoWriteIds extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("UPDATE page SET name = :name, write_id = :one WHERE id = :id IF write_id = :other")
        boolean rename(UUID id, String name, @WriteId UUID one, @WriteId UUID other);
    }

    interface KeyNotBound extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("UPDATE page SET name = ?0, write_id = ?1 WHERE id = 00000000-0000-0000-0000-000000000001 IF name = 'a'")
        boolean rename(String name, @WriteId UUID writeId);
    }

    interface AnswersNothing extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("UPDATE page SET name = ?1, write_id = ?2 WHERE id = ?0 IF name = 'a'")
        void rename(UUID id, String name, @WriteId UUID writeId);
    }

    interface AnswersEntity extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("UPDATE page SET name = ?1, write_id = ?2 WHERE id = ?0 IF name = 'a'")
        Optional<Page> rename(UUID id, String name, @WriteId UUID writeId);
    }

    interface KeepsCondition extends CassandraRepository<Page, UUID> {
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        @Query("DELETE FROM page WHERE id = ?0 IF EXISTS")
        boolean end(UUID id);
    }

    interface WriteIdWithoutRetry extends CassandraRepository<Page, UUID> {
        @Query("UPDATE page SET name = ?1, write_id = ?2 WHERE id = ?0 IF name = 'a'")
        boolean rename(UUID id, String name, @WriteId UUID writeId);
    }

    interface WriteIdWithoutCondition extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("UPDATE page SET name = ?1, write_id = ?2 WHERE id = ?0")
        void rename(UUID id, String name, @WriteId UUID writeId);
    }

    interface OutcomeWithoutRetry extends CassandraRepository<Page, UUID> {
        @Query("DELETE FROM page WHERE id = ?0 IF EXISTS")
        WriteOutcome end(UUID id);
    }

    interface CountsNoVersion extends CassandraRepository<Counted, UUID> {
        @Idempotent
        @Query("UPDATE counted SET n = :n, write_id = :writeId WHERE id = :id IF n = :seen")
        boolean change(UUID id, int n, int seen, @WriteId UUID writeId);
    }

    interface HoldsStill extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("UPDATE page SET write_id = ?1 WHERE id = ?0 IF name = 'a'")
        boolean sign(UUID id, @WriteId UUID writeId);
    }

    interface DeletesWhatIsThere extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("DELETE FROM page WHERE id = ?0 IF EXISTS")
        boolean end(UUID id);
    }

    interface MarksTwoColumns extends CassandraRepository<Page, UUID> {
        @Idempotent
        @Query("UPDATE marked SET n = 1, one = ?1 WHERE id = ?0 IF n = 0")
        boolean first(UUID id, @WriteId UUID writeId);

        @Idempotent
        @Query("UPDATE marked SET n = 1, other = ?1 WHERE id = ?0 IF n = 0")
        boolean second(UUID id, @WriteId UUID writeId);
    }

    interface SavesList extends CassandraRepository<Listed, UUID> {
        @Override
        @Idempotent
        <S extends Listed> S save(S listed);
    }

    @Idempotent
    interface SavesListWithTheInterface extends CassandraRepository<Listed, UUID> {}

    interface KeepsVersioned extends CassandraRepository<Versioned, UUID> {
        @Override
        @Idempotent(whenExhausted = Idempotent.WhenExhausted.BACKLOG)
        <S extends Versioned> S save(S versioned);
    }

    interface SavesWriteIdOfText extends CassandraRepository<Named, UUID> {
        @Override
        @Idempotent
        <S extends Named> S save(S named);
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
    }

    interface DeletesCounterByName extends CassandraRepository<Visits, UUID> {
        @Idempotent
        void deleteByName(String name);
    }

    interface SavesIntoNowhere extends CassandraRepository<Nowhere, UUID> {
        @Override
        @Idempotent
        <S extends Nowhere> S save(S nowhere);
    }

    interface Truncates extends CassandraRepository<Page, UUID> {
        @Override
        @Idempotent
        void deleteAll();
    }

    interface NoAttempt extends CassandraRepository<Page, UUID> {
        @Override
        @Idempotent(attempts = 0)
        <S extends Page> S save(S page);
    }

    interface NegativeDeadline extends CassandraRepository<Page, UUID> {
        @Override
        @Idempotent(deadline = "-5s")
        <S extends Page> S save(S page);
    }

    interface LateDeadline extends CassandraRepository<Page, UUID> {
        @Override
        @Idempotent(deadline = "PT1M")
        <S extends Page> S save(S page);
    }

    interface UnreadableDeadline extends CassandraRepository<Page, UUID> {
        @Override
        @Idempotent(deadline = "soon")
        <S extends Page> S save(S page);
    }

    interface BackoffUpsideDown extends CassandraRepository<Page, UUID> {
        @Override
        @Idempotent(initialBackoff = "5s", maxBackoff = "1s")
        <S extends Page> S save(S page);
    }

    interface NoSuchTemplate extends CassandraRepository<Page, UUID> {
        @Override
        @Idempotent(template = "mine")
        <S extends Page> S save(S page);
    }

    interface AnswersByFuture extends CassandraRepository<Page, UUID> {
        @Async
        @Idempotent
        Future<Page> findByName(String name);
    }

    interface KeptWithoutBacklog extends CassandraRepository<Page, UUID> {
        @Override
        @Idempotent(whenExhausted = WhenExhausted.BACKLOG)
        <S extends Page> S save(S page);
    }

    interface DeadlineFromProperty extends CassandraRepository<Page, UUID> {
        @Override
        @Idempotent(deadline = "${my.deadline}")
        <S extends Page> S save(S page);
    }

    @Idempotent
    interface AllRight extends CassandraRepository<Page, UUID> {
        @Query("UPDATE page SET name = ?0 WHERE id = ?1")
        void rename(String name, UUID id);

        @Query("UPDATE page SET name = :#{#page.name}, write_id = :by WHERE id = :#{#page.id} IF name = :name")
        boolean renameFrom(Page page, String name, @Param("by") @WriteId UUID writeId);

        List<Page> findByName(String name);
    }
}
