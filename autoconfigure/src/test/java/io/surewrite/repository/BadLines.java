package io.surewrite.repository;

import io.surewrite.test.FrameProxy;
import io.surewrite.test.FrameProxy.Fate;
import io.surewrite.test.FrameProxy.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A network to a real node, on which the statements on chosen rows and their answers are lost, refused or late. */
final class BadLines implements AutoCloseable {

    /** Longer than what an application waits for an answer, by these properties. */
    private static final Duration LATE = Duration.ofMillis(2600);

    private final Map<String, Line> lines = new ConcurrentHashMap<>();
    private final FrameProxy network;

    BadLines(int node) throws IOException {
        this.network = new FrameProxy(node, Duration.ofSeconds(2), this::verdict);
    }

    List<String> properties() {
        return List.of(
                "spring.cassandra.contact-points=127.0.0.1:" + network.port(),
                "surewrite.conditional.request-timeout=2100ms");
    }

    void bad(UUID row, Fate... fates) {
        bad(row, () -> {}, fates);
    }

    /** @param meanwhile what another does, after the first request and before the second */
    void bad(UUID row, Runnable meanwhile, Fate... fates) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(row.getMostSignificantBits())
                .putLong(row.getLeastSignificantBits());
        lines.put(new String(bytes.array(), StandardCharsets.ISO_8859_1), new Line(meanwhile, fates));
    }

    /** Of statements with a certain value. */
    void bad(String value, Fate... fates) {
        lines.put(value, new Line(() -> {}, fates));
    }

    void good(String value) {
        lines.remove(value);
    }

    /** {@return how many requests the node has yet to get} */
    int onTheWay() {
        return network.onTheWay();
    }

    private Verdict verdict(byte[] frame) {
        String text = new String(frame, StandardCharsets.ISO_8859_1);
        return lines.entrySet().stream()
                .filter(line -> text.contains(line.getKey()))
                .findAny()
                .map(line -> line.getValue().next())
                .orElseGet(() -> new Verdict(Fate.DELIVERED, new CompletableFuture<>()));
    }

    @Override
    public void close() throws IOException {
        network.close();
    }

    /** What becomes of the statements on one row, one after the other; what is done meanwhile is done after the first. */
    private static final class Line {

        private final Queue<Fate> fates;
        private final Runnable meanwhile;
        private int sent;

        Line(Runnable meanwhile, Fate... fates) {
            this.fates = new ArrayDeque<>(List.of(fates));
            this.meanwhile = meanwhile;
        }

        synchronized Verdict next() {
            if (++sent == 2) {
                meanwhile.run();
            }
            Fate fate = fates.isEmpty() ? Fate.DELIVERED : fates.remove();
            return new Verdict(fate, new CompletableFuture<>(), LATE);
        }
    }
}
