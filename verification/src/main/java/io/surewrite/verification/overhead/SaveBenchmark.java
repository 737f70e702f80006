package io.surewrite.verification.overhead;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** {@code save} of one row by Spring Data alone and with {@code @Idempotent}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SaveBenchmark {

    private static final Set<String> TAGS = Set.of("new", "blue");

    // JMH makes an instance a run, and both sides outlive many runs.
    private static @Nullable Shops shops;

    private final Shops open = Objects.requireNonNull(shops, "Nothing is open to be measured");
    private int id;

    /** JMH makes one by reflection. */
    public SaveBenchmark() {}

    static void measure(Shops open) {
        shops = open;
    }

    /**
     * Plain Spring Data.
     *
     * @return what was saved
     */
    @Benchmark
    public Product plain() {
        return open.plain().save(next());
    }

    /**
     * With the pinned timestamp and the retry around it.
     *
     * @return what was saved
     */
    @Benchmark
    public Product idempotent() {
        return open.idempotent().save(next());
    }

    /**
     * The same, ready to keep the write if the cluster were away.
     *
     * @return what was saved
     */
    @Benchmark
    public Product kept() {
        return open.kept().save(next());
    }

    /** By the name of one of these. */
    void save(String way) {
        Product saved = switch (way) {
            case "plain" -> plain();
            case "idempotent" -> idempotent();
            default -> kept();
        };
        Objects.requireNonNull(saved);
    }

    private Product next() {
        int number = id++ & 0xFFFF;
        return new Product(number, "product " + number, BigDecimal.valueOf(number, 2), TAGS, Instant.EPOCH);
    }
}
