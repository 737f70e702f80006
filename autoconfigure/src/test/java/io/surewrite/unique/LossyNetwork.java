package io.surewrite.unique;

import io.surewrite.test.FrameProxy.Fate;
import io.surewrite.test.FrameProxy.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Loses and delays requests and answers: by the seed, by the rows, logins and calls that a request is about, and by how many of
 * those were before it. So it does the same to each repository that runs a program.
 */
final class LossyNetwork implements Function<byte[], Verdict> {

    /** A letter for the repository, and a row, a login or a call. */
    private static final Pattern NAME = Pattern.compile("([pg])(w\\d{4}(?:r\\d|l\\d|c\\d-\\d\\d))");

    private final Map<String, AtomicInteger> sent = new ConcurrentHashMap<>();
    private final long seed;
    private volatile boolean mended;

    LossyNetwork(long seed) {
        this.seed = seed;
    }

    /** From now on it delivers everything. */
    void mend() {
        mended = true;
    }

    SplittableRandom random(String name, int nth) {
        return new SplittableRandom(seed ^ ((long) name.hashCode() << 20) ^ nth).split();
    }

    @Override
    public Verdict apply(byte[] frame) {
        Matcher matcher = NAME.matcher(new String(frame, StandardCharsets.ISO_8859_1));
        Set<String> names = new TreeSet<>();
        String letter = "";
        while (matcher.find()) {
            letter = matcher.group(1);
            names.add(matcher.group(2));
        }
        if (mended || names.isEmpty()) {
            return new Verdict(Fate.DELIVERED, new CompletableFuture<>());
        }
        String about = names.toString();
        int nth = sent.computeIfAbsent(letter + about, first -> new AtomicInteger())
                .getAndIncrement();
        // Now and then nothing comes through for a while.
        boolean isBroken = random(about + " broken", nth / 8).nextInt(100) < 5;
        SplittableRandom random = random(about, nth);
        Fate fate = fate(random.nextInt(isBroken ? 20 : 100));
        int longest = isBroken || random.nextInt(3) == 0 ? 3000 : 300;
        return new Verdict(fate, new CompletableFuture<>(), Duration.ofMillis(random.nextInt(longest)));
    }

    private static Fate fate(int percent) {
        if (percent < 4) {
            return Fate.NEVER_SENT;
        } else if (percent < 8) {
            return Fate.ANSWER_LOST;
        } else if (percent < 14) {
            return Fate.LATE;
        }
        return percent < 20 ? Fate.ANSWER_LATE : Fate.DELIVERED;
    }
}
