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
 * The driver's frame codec without two of its faults, which decision 82 (docs/adr) describes.
 *
 * <p>A frame ends where its header says. The driver takes the byte after the last one it has read for the next frame of a
 * protocol V5 segment, but it does not read all of the answer to a conditional write that times out under contention.
 *
 * <p>Rows say what their columns are. The driver lets the server leave that out, and then takes what it knows of the
 * prepared statement at the moment of reading, which is not what the server knew if the table is being altered. Only
 * statements whose columns no change of the schema can move are left as they are, if {@link #withoutColumns} says so.
 *
 * <p>All else, which versions and messages there are among it, is up to the driver's own codec.
 */
public final class WholeFrameCodec extends FrameCodec<ByteBuf> {

    private final FrameCodec<ByteBuf> drivers;

    /** The statements whose answers need no columns. As few as there are texts of ours. */
    private final Set<ByteBuffer> withoutColumns = ConcurrentHashMap.newKeySet();

    /** A codec over that of the driver. */
    public WholeFrameCodec(
            PrimitiveCodec<ByteBuf> primitives, Compressor<ByteBuf> compressor, FrameCodec<ByteBuf> drivers) {
        super(primitives, compressor);
        this.drivers = drivers;
    }

    /**
     * Lets the server leave the columns out of a statement's answers, as the driver does. For queries that name each of
     * their columns, and whose values are decoded by types that the reader knows by itself: then it does not matter
     * what the driver takes the columns for.
     *
     * @param session that prepared it; if it has another codec, nothing changes
     * @param query such a query, or what has no rows
     */
    public static PreparedStatement withoutColumns(CqlSession session, PreparedStatement query) {
        if (session.getContext() instanceof InternalDriverContext context
                && context.getFrameCodec() instanceof WholeFrameCodec codec) {
            codec.withoutColumns.add(query.getId());
        }
        return query;
    }

    /** {@return the one that knows versions and messages} */
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
