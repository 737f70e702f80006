package io.surewrite.embedded.child;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Drops or delays what comes in from other nodes, as a bad line between them does. It hangs in the sink of the messaging service
 * of Cassandra, through which gossip goes, too; so it needs no rights of the operating system.
 */
final class Links implements Predicate<Object> {

    private static final int DELIVERING_THREADS = 16;

    private static @Nullable Links installed;

    /** By the other node; zero drops everything. */
    private final Map<InetAddress, Duration> delays = new ConcurrentHashMap<>();

    private final Set<Object> due = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
    private final ScheduledExecutorService late = Executors.newScheduledThreadPool(DELIVERING_THREADS, task -> {
        Thread thread = new Thread(task, "surewrite-late-messages");
        thread.setDaemon(true);
        return thread;
    });
    private final Consumer<Object> sink;
    private final MethodHandle from;

    private Links(Consumer<Object> sink, MethodHandle from) {
        this.sink = sink;
        this.from = from;
    }

    /**
     * Obeys the parent, and says when it is done.
     *
     * @param command {@code cut|whole|MILLISECONDS ADDRESS,... FILE}: the file is made when this is in force
     * @throws IOException if the file cannot be made
     */
    static void obey(String command) throws IOException {
        String[] parts = command.split(" ", 3);
        Reply.to(Path.of(parts[2]), () -> {
            Links links = installed == null ? install() : installed;
            installed = links;
            for (String other : parts[1].split(",", -1)) {
                links.set(InetAddress.getByName(other), parts[0]);
            }
            return "";
        });
    }

    @SuppressWarnings("unchecked") // what Cassandra declares
    private static Links install() throws ReflectiveOperationException {
        Class<?> service = Class.forName("org.apache.cassandra.net.MessagingService");
        Class<?> message = Class.forName("org.apache.cassandra.net.Message");
        Object sink = service.getField("inboundSink")
                .get(service.getMethod("instance").invoke(null));
        MethodHandle from = MethodHandles.publicLookup()
                .findVirtual(
                        message,
                        "from",
                        MethodType.methodType(Class.forName("org.apache.cassandra.locator.InetAddressAndPort")))
                .asType(MethodType.methodType(InetSocketAddress.class, Object.class));
        Links links = new Links((Consumer<Object>) sink, from);
        sink.getClass().getMethod("add", Predicate.class).invoke(sink, links);
        return links;
    }

    private void set(InetAddress other, String how) {
        if (how.equals("whole")) {
            delays.remove(other);
        } else {
            delays.put(other, how.equals("cut") ? Duration.ZERO : Duration.ofMillis(Long.parseLong(how)));
        }
    }

    /** Whether a message is delivered now. */
    @Override
    public boolean test(Object message) {
        if (due.remove(message)) {
            return !Duration.ZERO.equals(delayOf(message));
        }
        Duration delay = delayOf(message);
        if (delay == null) {
            return true;
        }
        if (!delay.isZero()) {
            var unused = late.schedule(() -> deliver(message), delay.toMillis(), TimeUnit.MILLISECONDS);
        }
        return false;
    }

    private void deliver(Object message) {
        due.add(message);
        sink.accept(message);
    }

    private @Nullable Duration delayOf(Object message) {
        try {
            return delays.get(((InetSocketAddress) from.invokeExact(message)).getAddress());
        } catch (Throwable e) {
            throw new IllegalStateException("A message without a sender: " + message, e);
        }
    }
}
