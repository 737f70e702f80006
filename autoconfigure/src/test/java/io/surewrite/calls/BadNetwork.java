package io.surewrite.calls;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.FrameCodec;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.request.Batch;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.Query;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.surewrite.test.FrameProxy.Fate;
import io.surewrite.test.FrameProxy.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Says what becomes of each frame, by the seed, what is in it and how often it was seen before; and writes it down. */
final class BadNetwork implements Function<byte[], Verdict> {

    private static final FrameCodec<ByteBuf> FRAMES =
            FrameCodec.defaultServer(new ByteBufPrimitiveCodec(UnpooledByteBufAllocator.DEFAULT), Compressor.none());

    private final long seed;
    private final int doomed;
    private final Map<String, List<Sent>> sent = new ConcurrentHashMap<>();
    private final Map<Fate, Integer> fates = new ConcurrentHashMap<>();
    private volatile boolean mended;

    BadNetwork(long seed, int doomed) {
        this.seed = seed;
        this.doomed = doomed;
    }

    /** A statement on its way. */
    record Sent(Fate fate, long timestamp, long at) {}

    /** From now on nothing is lost. */
    void mend() {
        mended = true;
    }

    /** {@return what the statement with this mark was sent as} */
    List<Sent> sent(String mark) {
        return List.copyOf(all(mark));
    }

    private List<Sent> all(String name) {
        return sent.computeIfAbsent(name, first -> new CopyOnWriteArrayList<>());
    }

    @Override
    public String toString() {
        return new TreeMap<>(fates).toString();
    }

    @Override
    public Verdict apply(byte[] frame) {
        String text = new String(frame, StandardCharsets.ISO_8859_1);
        List<String> marks = all(Note.MARK, text);
        Verdict verdict;
        if (!marks.isEmpty()) {
            verdict = ofNotes(frame, marks);
        } else {
            List<String> boards = all(Note.BOARD, text);
            verdict =
                    boards.isEmpty() ? new Verdict(Fate.DELIVERED, new CompletableFuture<>()) : ofOthers(boards.get(0));
        }
        fates.merge(verdict.fate(), 1, Integer::sum);
        return verdict;
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(MatchResult::group)
                .distinct()
                .toList();
    }

    private Verdict ofNotes(byte[] frame, List<String> marks) {
        String mark = marks.get(0);
        SplittableRandom random = random(mark, 0);
        Fate doom = random.nextBoolean() ? Fate.UNAVAILABLE : Fate.NEVER_SENT;
        boolean isDoomed = random.nextInt(100) < doomed;
        random = random(mark, all(mark).size() + 1);
        Fate fate = mended ? Fate.DELIVERED : isDoomed ? doom : fate(random.nextInt(100));
        Duration delay = Duration.ofMillis(1 + random.nextInt(1500));
        Sent now = new Sent(fate, timestamp(frame), System.nanoTime());
        marks.forEach(each -> all(each).add(now));
        return new Verdict(fate, new CompletableFuture<>(), delay);
    }

    private static Fate fate(int percent) {
        if (percent < 84) {
            return Fate.DELIVERED;
        } else if (percent < 87) {
            return Fate.NEVER_SENT;
        } else if (percent < 90) {
            return Fate.ANSWER_LOST;
        } else if (percent < 93) {
            return Fate.LATE;
        } else if (percent < 96) {
            return Fate.REPEATED;
        } else {
            return percent < 98 ? Fate.UNAVAILABLE : Fate.WRITE_TIMEOUT;
        }
    }

    /** Statements of leases, and reads: each lost one takes seconds, so that they are late or repeated mostly. */
    private Verdict ofOthers(String board) {
        List<Sent> before = all(board);
        SplittableRandom random;
        synchronized (before) {
            before.add(new Sent(Fate.DELIVERED, 0, 0));
            random = random(board, before.size());
        }
        int permille = random.nextInt(1000);
        Fate fate = Fate.DELIVERED;
        if (permille < 20) {
            fate = Fate.LATE;
        } else if (permille < 40) {
            fate = Fate.REPEATED;
        } else if (permille < 42) {
            fate = permille == 40 ? Fate.NEVER_SENT : Fate.ANSWER_LOST;
        }
        int longest = random.nextInt(4) == 0 ? 2500 : 200;
        return new Verdict(fate, new CompletableFuture<>(), Duration.ofMillis(1 + random.nextInt(longest)));
    }

    /** By what does not change from run to run: neither order nor time. */
    private SplittableRandom random(String name, int nth) {
        // The run is not part of it: two runs with one seed are to be compared.
        long hash = name.replaceFirst("\\d\\d-", "").hashCode();
        return new SplittableRandom(seed ^ (hash << 20) ^ nth).split();
    }

    private static long timestamp(byte[] frame) {
        Message message = FRAMES.decode(Unpooled.wrappedBuffer(frame)).message;
        if (message instanceof Execute execute) {
            return execute.options.defaultTimestamp;
        } else if (message instanceof Batch batch) {
            return batch.defaultTimestamp;
        }
        return ((Query) message).options.defaultTimestamp;
    }
}
