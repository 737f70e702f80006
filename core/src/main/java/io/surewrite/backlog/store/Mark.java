package io.surewrite.backlog.store;

import io.surewrite.backlog.replay.EntryCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Tells, outside the database and its log, what must be there: SQLite drops a damaged end of its log without a word. Two
 * places are written in turn, so that one that was torn by a crash leaves the one before.
 */
final class Mark implements AutoCloseable {

    static final String FILE = "backlog.mark";

    /** Says what it is, and in which format. */
    private static final long MAGIC = 0x5375_7265_4d72_6b01L;

    /** Places are as far apart as pages of a disk are large. */
    private static final int PLACE = 4096;

    private static final int LENGTH = 4 * Long.BYTES + Integer.BYTES;

    private final FileChannel channel;
    private long turn;

    /**
     * What is there.
     *
     * @param last the highest id that was ever confirmed
     * @param count how many entries and dead letters there were then
     */
    record State(long last, long count) {}

    private Mark(FileChannel channel, long turn) {
        this.channel = channel;
        this.turn = turn;
    }

    static boolean exists(Path directory) {
        return Files.exists(directory.resolve(FILE));
    }

    /** What the file says, or null if it says nothing that can be believed. */
    static @Nullable State read(Path directory) throws IOException {
        Latest latest = latest(directory);
        return latest == null ? null : latest.state;
    }

    /** Opens a file that can be believed. */
    static Mark open(Path directory) throws IOException {
        Latest latest = latest(directory);
        return new Mark(
                FileChannel.open(directory.resolve(FILE), StandardOpenOption.WRITE), latest == null ? 0 : latest.turn);
    }

    /** Writes both places anew. */
    static void create(Path directory, State state) throws IOException {
        // Whole or not at all: half a mark would be taken for a damaged one.
        Path making = directory.resolve(FILE + ".making");
        DirectoryLock.makePrivate(making);
        try (Mark mark = new Mark(FileChannel.open(making, StandardOpenOption.WRITE), 0)) {
            mark.write(state);
            mark.write(state);
        }
        Files.move(making, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        DirectoryLock.force(directory);
    }

    private record Latest(long turn, State state) {}

    private static @Nullable Latest latest(Path directory) throws IOException {
        byte[] bytes = Files.readAllBytes(directory.resolve(FILE));
        Latest first = at(bytes, 0);
        Latest second = at(bytes, PLACE);
        return first == null || (second != null && second.turn > first.turn) ? second : first;
    }

    private static @Nullable Latest at(byte[] bytes, int place) {
        if (bytes.length < place + LENGTH) {
            return null;
        }
        byte[] mark = Arrays.copyOfRange(bytes, place, place + LENGTH);
        ByteBuffer in = ByteBuffer.wrap(mark);
        boolean known = in.getLong() == MAGIC;
        Latest found = new Latest(in.getLong(), new State(in.getLong(), in.getLong()));
        return known && EntryCodec.isWhole(mark) ? found : null;
    }

    /** Returns when it is on the disk. */
    void write(State state) throws IOException {
        turn++;
        ByteBuffer mark = ByteBuffer.allocate(LENGTH - Integer.BYTES)
                .putLong(MAGIC)
                .putLong(turn)
                .putLong(state.last)
                .putLong(state.count);
        ByteBuffer out = ByteBuffer.wrap(EntryCodec.sealed(mark.array()));
        long position = PLACE * (turn & 1);
        while (out.hasRemaining()) {
            position += channel.write(out, position);
        }
        channel.force(false);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
