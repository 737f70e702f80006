package io.surewrite.verification.benchmark;

import com.datastax.oss.driver.api.core.CqlSession;
import io.surewrite.journal.AttributeJournal;
import io.surewrite.lease.LeaseLocks;
import io.surewrite.overwrite.RowOverwrites;
import io.surewrite.retry.Idempotent;
import io.surewrite.unique.UniqueBy;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.cassandra.core.mapping.PrimaryKey;
import org.springframework.data.cassandra.core.mapping.Table;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;

/**
 * The process in which a build is measured: an application with all that the starter brings, on a class path with that build. It
 * knows only what users know, so that earlier builds can run it.
 *
 * <p>Each line of its input says what to do: {@code warm}, how many seconds and the work, or {@code time}, how many calls and the
 * work. The answer is the median of these calls in milliseconds, or 0 for having warmed up. The end of the input ends it.
 */
final class BuildInUse {

    /** What an answer begins with: others may write to the output, too. */
    static final String ANSWER = "took ";

    /** Each of the tables that a keyspace must have before. */
    static final List<String> TABLES = List.of(
            "CREATE TABLE %s.member (id uuid PRIMARY KEY, login text, city text)",
            "CREATE TABLE %s.note (id uuid PRIMARY KEY, words text, author text)");

    /** What is measured, and what neither build has a part in. */
    static final List<String> WORK = List.of(
            "a lock by hand",
            "lease, acquire and release",
            "lease, a name for the first time",
            "@Idempotent save",
            "@UniqueBy insert",
            "@UniqueBy save, nothing unique changed",
            "@UniqueBy save, the value changed",
            "hot row: @UniqueBy save by 16 threads, each once",
            "overwrite",
            "journal, record");

    private static final int NAMES = 100;
    private static final int THREADS = 16;

    @Table("member")
    record Member(@PrimaryKey UUID id, String login, String city) {}

    @UniqueBy("login")
    interface Members extends CassandraRepository<Member, UUID> {}

    @Table("note")
    record Note(@PrimaryKey UUID id, String words, @Nullable String author) {}

    interface Notes extends CassandraRepository<Note, UUID> {

        @Idempotent
        @Override
        <S extends Note> S save(S note);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableCassandraRepositories(
            considerNestedRepositories = true,
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {Members.class, Notes.class}))
    static class Application {}

    private final Map<String, Throughput.Work> work = new LinkedHashMap<>();

    private BuildInUse(ConfigurableApplicationContext application) {
        HandWrittenLock byHand = new HandWrittenLock(application.getBean(CqlSession.class));
        LeaseLocks locks = application.getBean(LeaseLocks.class);
        Members members = application.getBean(Members.class);
        Notes notes = application.getBean(Notes.class);
        RowOverwrites overwrites = application.getBean(RowOverwrites.class);
        AttributeJournal journal = application.getBean(AttributeJournal.class);
        AtomicInteger count = new AtomicInteger();
        ThreadLocal<Member> own = ThreadLocal.withInitial(() -> members.insert(member()));

        List<Throughput.Work> all = List.of(
                () -> byHand.lockAndUnlock(name(count)),
                () -> locks.tryAcquire(name(count)).orElseThrow().release(),
                () -> locks.tryAcquire("first:" + UUID.randomUUID())
                        .orElseThrow()
                        .release(),
                () -> notes.save(note()),
                () -> members.insert(member()),
                () -> members.save(new Member(own.get().id(), own.get().login(), "Wien " + count.incrementAndGet())),
                () -> own.set(members.save(new Member(own.get().id(), "login-" + UUID.randomUUID(), "Wien"))),
                hotRow(members),
                () -> overwrites.overwrite(note()),
                () -> journal.record(
                        "entity " + count.incrementAndGet() % NAMES,
                        Map.of("words", UUID.randomUUID().toString()),
                        Instant.now()));
        for (int i = 0; i < WORK.size(); i++) {
            work.put(WORK.get(i), all.get(i));
        }
    }

    /**
     * Runs it.
     *
     * @param properties of the application
     * @throws Exception when the application cannot be started, or something fails
     */
    public static void main(String[] properties) throws Exception {
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
                        .web(WebApplicationType.NONE)
                        .bannerMode(Banner.Mode.OFF)
                        .logStartupInfo(false)
                        .properties(
                                "spring.cassandra.request.timeout=30s", // of DDL; conditional writes have their own
                                "surewrite.schema.initialize=always",
                                "surewrite.journal.enabled=true",
                                "logging.level.root=error")
                        .run(properties);
                BufferedReader told = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            new BuildInUse(application).obey(told);
        }
    }

    private void obey(BufferedReader told) throws Exception {
        for (String line = told.readLine(); line != null; line = told.readLine()) {
            String[] words = line.split(" ", 3);
            int many = Integer.parseInt(words[1]);
            System.out.println(ANSWER + (words[0].equals("warm") ? warmed(many, words[2]) : median(many, words[2])));
        }
    }

    private double warmed(int seconds, String what) throws Exception {
        Throughput.perSecond(Duration.ofSeconds(seconds), List.of(Objects.requireNonNull(work.get(what), what)));
        return 0;
    }

    private double median(int calls, String what) {
        Throughput.Work measured = Objects.requireNonNull(work.get(what), what);
        Times times = new Times();
        for (int i = 0; i < calls; i++) {
            times.time(measured);
        }
        return times.percentileMillis(0.5);
    }

    /** All at once; tells how many of them were not done. */
    private static Throughput.Work hotRow(Members members) {
        Member hot = members.insert(member());
        List<Callable<Member>> saves = IntStream.range(0, THREADS)
                .<Callable<Member>>mapToObj(
                        thread -> () -> members.save(new Member(hot.id(), hot.login(), "Wien " + thread)))
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        });
        return () -> {
            int failed = 0;
            for (Future<Member> save : threads.invokeAll(saves)) {
                try {
                    save.get();
                } catch (ExecutionException notDone) {
                    failed++;
                }
            }
            if (failed > 0) {
                System.out.println("Not done of " + THREADS + ": " + failed);
            }
        };
    }

    /** A thread has a name to itself. */
    private static String name(AtomicInteger count) {
        return Thread.currentThread().getId() + ":" + count.incrementAndGet() % NAMES;
    }

    private static Member member() {
        UUID id = UUID.randomUUID();
        return new Member(id, "login-" + id, "Wien");
    }

    private static Note note() {
        return new Note(UUID.randomUUID(), "words", null);
    }
}
