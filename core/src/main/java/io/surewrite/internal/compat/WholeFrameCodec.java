package io.surewrite.internal.compat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.FrameCodec;
import com.datastax.oss.protocol.internal.PrimitiveCodec;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The driver's frame codec without two of its faults (decision 82). A frame ends where its header says: the driver does not read all
 * of the answer to a conditional write that times out under contention, and takes the rest for the next frame. And rows say what
 * their columns are: the driver takes what it knows of the prepared statement, which is not what the server knew if the table is
 * being altered.
 */
public final class WholeFrameCodec extends FrameCodec<ByteBuf> {

    private final FrameCodec<ByteBuf> drivers;

    private final Set<ByteBuffer> withoutColumns = ConcurrentHashMap.newKeySet();

    public WholeFrameCodec(
            PrimitiveCodec<ByteBuf> primitives, Compressor<ByteBuf> compressor, FrameCodec<ByteBuf> drivers) {
        super(primitives, compressor);
        this.drivers = drivers;
    }

    /**
     * Lets the server leave the columns out of a statement's answers. For queries that name each of their columns, and whose values are
     * decoded by types that the reader knows by itself: then it does not matter what the driver takes the columns for.
     */
    public static PreparedStatement withoutColumns(CqlSession session, PreparedStatement query) {
        if (session.getContext() instanceof InternalDriverContext context
                && context.getFrameCodec() instanceof WholeFrameCodec codec) {
            codec.withoutColumns.add(query.getId());
        }
        return query;
    }

    public FrameCodec<ByteBuf> drivers() {
        return drivers;
    }

    @Override
    public Frame decode(ByteBuf source) {
        int end = source.readerIndex() + V3_ENCODED_HEADER_SIZE + decodeBodySize(source);
        Frame frame = drivers.decode(source);
        source.readerIndex(end);
        return frame;
    }

    @Override
    public ByteBuf encode(Frame frame) {
        return drivers.encode(askingForColumns(frame));
    }

    @Override
    public void encodeInto(Frame frame, int bodySize, ByteBuf target) {
        drivers.encodeInto(askingForColumns(frame), bodySize, target); // as long as it was
    }

    @Override
    public int encodedHeaderSize(Frame frame) {
        return drivers.encodedHeaderSize(frame);
    }

    @Override
    public int encodedBodySize(Frame frame) {
        return drivers.encodedBodySize(frame);
    }

    @Override
    public int decodeBodySize(ByteBuf source) {
        return drivers.decodeBodySize(source);
    }

    private Frame askingForColumns(Frame frame) {
        if (!(frame.message instanceof Execute execute)
                || !execute.options.skipMetadata
                || withoutColumns.contains(ByteBuffer.wrap(execute.queryId))
                || execute.options.getClass() != QueryOptions.class) { // those of DSE's continuous paging
            return frame;
        }
        QueryOptions options = execute.options;
        QueryOptions asking = new QueryOptions(
                options.consistency,
                options.positionalValues,
                options.namedValues,
                false,
                options.pageSize,
                options.pagingState,
                options.serialConsistency,
                options.defaultTimestamp,
                options.keyspace,
                options.nowInSeconds);
        return Frame.forRequest(
                frame.protocolVersion,
                frame.streamId,
                frame.tracing,
                frame.customPayload,
                new Execute(execute.queryId, execute.resultMetadataId, asking));
    }
}
