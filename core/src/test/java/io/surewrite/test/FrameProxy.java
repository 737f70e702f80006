package io.surewrite.test;

import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.CrcMismatchException;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.FrameCodec;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants.ConsistencyLevel;
import com.datastax.oss.protocol.internal.Segment;
import com.datastax.oss.protocol.internal.SegmentCodec;
import com.datastax.oss.protocol.internal.response.error.Unavailable;
import com.datastax.oss.protocol.internal.response.error.WriteTimeout;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * A bad network in front of a real node: it takes the frames of the native protocol one by one, out of the segments that
 * carry them from version 5 on, and may hold back a request or its answer. Neither side's driver or server notices anything
 * but silence. It can be cut, and mended again.
 */
public final class FrameProxy implements AutoCloseable {

    private static final int HEADER = 9;
    private static final int STREAM = 2;
    private static final int OPCODE = 4;
    private static final int LENGTH = 5;
    private static final int VERSION = 0x7F;
    private static final int V5 = 5;
    private static final byte STARTUP = 0x01;
    /** READY and AUTHENTICATE. */
    private static final Set<Byte> WELCOME = Set.of((byte) 0x02, (byte) 0x03);

    /** The driver numbers 1,024 requests at most, and the protocol has twice as many numbers as this. */
    private static final int FIRST_REPEATED = 0x4000;

    private static final byte QUERY = 0x07;
    private static final byte EXECUTE = 0x0A;
    private static final byte BATCH = 0x0D;

    private static final ByteBufPrimitiveCodec PRIMITIVES = new ByteBufPrimitiveCodec(UnpooledByteBufAllocator.DEFAULT);
    private static final SegmentCodec<ByteBuf> SEGMENTS = new SegmentCodec<>(PRIMITIVES, Compressor.none());
    private static final FrameCodec<ByteBuf> ANSWERS = FrameCodec.defaultServer(PRIMITIVES, Compressor.none());

    private final int node;
    private final int port;
    private final Duration delay;
    private final Function<byte[], Verdict> judge;
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
    private volatile @Nullable ServerSocket listener;
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();

    private final AtomicInteger onTheWay = new AtomicInteger();

    /** What becomes of a request. */
    public enum Fate {
        DELIVERED,
        NEVER_SENT,
        ANSWER_LOST,
        /** It arrives now, and its answer late. */
        ANSWER_LATE,
        LATE,
        /** It arrives twice, once now and once late. */
        REPEATED,
        /** It does not arrive, and the answer says that too few replicas are alive. */
        UNAVAILABLE,
        /** It arrives, and the answer says that not enough replicas have told so in time. */
        WRITE_TIMEOUT
    }

    /**
     * What a judge says.
     *
     * @param answered becomes done when the node has answered it, whoever hears that
     * @param delay of what is late, or null for that of the proxy
     */
    public record Verdict(
            Fate fate,
            CompletableFuture<Void> answered,
            @Nullable Duration delay) {

        public Verdict(Fate fate, CompletableFuture<Void> answered) {
            this(fate, answered, null);
        }
    }

    /** Its judge decides about each request that reads or writes rows, from its whole frame. */
    public FrameProxy(int node, Duration delay, Function<byte[], Verdict> judge) {
        this.node = node;
        this.delay = delay;
        this.judge = judge;
        this.port = listen(0);
    }

    /** Delivers all, until it is cut. */
    public static FrameProxy to(InetSocketAddress node) {
        return new FrameProxy(
                node.getPort(), Duration.ZERO, frame -> new Verdict(Fate.DELIVERED, new CompletableFuture<>()));
    }

    public int port() {
        return port;
    }

    /** Cuts every connection; new ones are refused. */
    public void cut() {
        ServerSocket socket = listener;
        listener = null;
        if (socket != null) {
            closeQuietly(socket);
        }
        open.forEach(FrameProxy::closeQuietly);
        open.clear();
    }

    public void mend() {
        if (listener == null) {
            listen(port);
        }
    }

    private int listen(int wanted) {
        // An outgoing connection of anybody may have got the port meanwhile.
        ServerSocket socket = Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .ignoreException(BindException.class)
                .until(() -> listening(wanted), Objects::nonNull);
        listener = socket;
        start(() -> accept(socket), socket);
        return socket.getLocalPort();
    }

    private static ServerSocket listening(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** {@return how many late requests and answers have yet to arrive} */
    public int onTheWay() {
        return onTheWay.get();
    }

    private void accept(ServerSocket socket) throws IOException {
        while (true) {
            Socket client = socket.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), node);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            Connection connection = new Connection(server.getOutputStream(), client.getOutputStream());
            Closeable both = () -> {
                client.close();
                server.close();
            };
            open.add(both);
            if (listener != socket) {
                both.close(); // after the cut
            }
            start(() -> forward(client.getInputStream(), Set.of(STARTUP), connection::request), both);
            start(() -> forward(server.getInputStream(), WELCOME, connection::answer), both);
        }
    }

    private interface Step {

        void run() throws IOException;
    }

    private interface Receiver {

        void receive(byte[] frame) throws IOException;
    }

    /** Runs until one side is gone; then the other one is to notice. */
    private static void start(Step step, Closeable sides) {
        Thread thread = new Thread(
                () -> {
                    try (sides) {
                        step.run();
                    } catch (IOException gone) {
                        LoggerFactory.getLogger(FrameProxy.class).debug("A connection is over", gone);
                    }
                },
                "frame-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    /** Takes frames until one says that segments follow, by its opcode in version 5. */
    private static void forward(InputStream from, Set<Byte> last, Receiver to) throws IOException {
        DataInputStream in = new DataInputStream(from);
        byte[] frame;
        do {
            frame = frame(in);
            to.receive(frame);
        } while (!isLast(frame, last));
        ByteBuf frames = Unpooled.buffer();
        while (true) {
            frames.writeBytes(payload(in));
            while (frames.readableBytes() >= HEADER && frames.readableBytes() >= length(frames)) {
                byte[] next = new byte[length(frames)];
                frames.readBytes(next);
                to.receive(next);
            }
            frames.discardReadBytes();
        }
    }

    private static boolean isLast(byte[] frame, Set<Byte> last) {
        return (frame[0] & VERSION) == V5 && last.contains(frame[OPCODE]);
    }

    private static byte[] frame(DataInputStream in) throws IOException {
        byte[] header = new byte[HEADER];
        in.readFully(header);
        byte[] frame = new byte[length(Unpooled.wrappedBuffer(header))];
        System.arraycopy(header, 0, frame, 0, HEADER);
        in.readFully(frame, HEADER, frame.length - HEADER);
        return frame;
    }

    private static int length(ByteBuf frame) {
        return HEADER + frame.getInt(frame.readerIndex() + LENGTH);
    }

    private static ByteBuf payload(DataInputStream in) throws IOException {
        byte[] header = new byte[SEGMENTS.headerLength() + SegmentCodec.CRC24_LENGTH];
        in.readFully(header);
        try {
            SegmentCodec.Header read = SEGMENTS.decodeHeader(Unpooled.wrappedBuffer(header));
            byte[] rest = new byte[read.payloadLength + SegmentCodec.CRC32_LENGTH];
            in.readFully(rest);
            return SEGMENTS.decode(read, Unpooled.wrappedBuffer(rest)).payload;
        } catch (CrcMismatchException broken) {
            throw new IOException(broken);
        }
    }

    private static byte[] segments(byte[] frame) {
        List<Object> encoded = new ArrayList<>();
        ByteBuf whole = Unpooled.wrappedBuffer(frame);
        boolean isOne = frame.length <= Segment.MAX_PAYLOAD_LENGTH;
        while (whole.isReadable()) {
            int length = Math.min(whole.readableBytes(), Segment.MAX_PAYLOAD_LENGTH);
            SEGMENTS.encode(new Segment<>(whole.readRetainedSlice(length), isOne), encoded);
        }
        ByteBuf all = Unpooled.wrappedBuffer(encoded.toArray(ByteBuf[]::new));
        try {
            return ByteBufUtil.getBytes(all);
        } finally {
            all.release();
        }
    }

    /** A driver's connection; a stream id names a request until it is answered. */
    private final class Connection {

        private final OutputStream server;
        private final OutputStream client;
        private final Map<Short, Verdict> judged = new ConcurrentHashMap<>();
        private final AtomicInteger repeats = new AtomicInteger();
        private volatile boolean inSegments;

        Connection(OutputStream server, OutputStream client) {
            this.server = server;
            this.client = client;
        }

        void request(byte[] frame) throws IOException {
            byte opcode = frame[OPCODE];
            Verdict verdict = opcode == QUERY || opcode == EXECUTE || opcode == BATCH
                    ? judge.apply(frame)
                    : new Verdict(Fate.DELIVERED, new CompletableFuture<>());
            judged.put(stream(frame), verdict);
            switch (verdict.fate()) {
                case DELIVERED, ANSWER_LOST, ANSWER_LATE, WRITE_TIMEOUT -> send(server, packed(frame));
                case LATE -> sendLate(server, frame, verdict);
                case REPEATED -> {
                    send(server, packed(frame));
                    sendLate(server, repeated(frame), verdict);
                }
                case NEVER_SENT -> {}
                case UNAVAILABLE ->
                    answer(error(frame, new Unavailable("by the proxy", ConsistencyLevel.QUORUM, 2, 1)));
            }
        }

        private void sendLate(OutputStream to, byte[] frame, Verdict verdict) {
            onTheWay.incrementAndGet();
            Duration wait = verdict.delay() == null ? delay : verdict.delay();
            var unused = later.schedule(
                    () -> {
                        try {
                            send(to, packed(frame));
                        } finally {
                            onTheWay.decrementAndGet();
                        }
                        return frame;
                    },
                    wait.toMillis(),
                    TimeUnit.MILLISECONDS);
        }

        /** By a stream id that no driver uses: the answer is for nobody. */
        private byte[] repeated(byte[] frame) {
            byte[] again = frame.clone();
            int stream = FIRST_REPEATED + repeats.getAndIncrement() % FIRST_REPEATED;
            ByteBuffer.wrap(again).putShort(STREAM, (short) stream);
            return again;
        }

        private static byte[] error(byte[] frame, Message error) {
            ByteBuf encoded = ANSWERS.encode(
                    Frame.forResponse(frame[0] & VERSION, stream(frame), null, Frame.NO_PAYLOAD, List.of(), error));
            try {
                return ByteBufUtil.getBytes(encoded);
            } finally {
                encoded.release();
            }
        }

        void answer(byte[] frame) throws IOException {
            if (stream(frame) >= FIRST_REPEATED) {
                return;
            }
            Verdict verdict = judged.remove(stream(frame));
            Fate fate = verdict == null ? Fate.DELIVERED : verdict.fate();
            byte[] bytes = packed(
                    fate == Fate.WRITE_TIMEOUT
                            ? error(frame, new WriteTimeout("by the proxy", ConsistencyLevel.QUORUM, 1, 2, "SIMPLE"))
                            : frame);
            inSegments |= isLast(frame, WELCOME); // before the driver can reply to it
            if (verdict != null && fate == Fate.ANSWER_LATE) {
                sendLate(client, frame, verdict);
            } else if (fate != Fate.ANSWER_LOST) {
                send(client, bytes);
            }
            if (verdict != null) {
                verdict.answered().complete(null);
            }
        }

        private static short stream(byte[] frame) {
            return ByteBuffer.wrap(frame).getShort(STREAM);
        }

        private byte[] packed(byte[] frame) {
            return inSegments ? segments(frame) : frame;
        }

        private static void send(OutputStream to, byte[] bytes) throws IOException {
            synchronized (to) {
                to.write(bytes);
                to.flush();
            }
        }
    }

    private static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException alreadyClosed) {
            // Nothing left to close.
        }
    }

    @Override
    public void close() {
        later.shutdownNow();
        cut();
    }
}
