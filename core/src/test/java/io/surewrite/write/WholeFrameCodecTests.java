package io.surewrite.write;

import static com.datastax.oss.protocol.internal.FrameCodec.V3_ENCODED_HEADER_SIZE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.session.ProgrammaticArguments;
import com.datastax.oss.driver.internal.core.context.DefaultDriverContext;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.protocol.ByteBufPrimitiveCodec;
import com.datastax.oss.protocol.internal.Compressor;
import com.datastax.oss.protocol.internal.Frame;
import com.datastax.oss.protocol.internal.FrameCodec;
import com.datastax.oss.protocol.internal.Message;
import com.datastax.oss.protocol.internal.ProtocolConstants.ConsistencyLevel;
import com.datastax.oss.protocol.internal.request.Execute;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import com.datastax.oss.protocol.internal.response.Ready;
import com.datastax.oss.protocol.internal.response.error.WriteTimeout;
import com.datastax.oss.protocol.internal.util.collection.NullAllowingImmutableList;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.surewrite.internal.compat.WholeFrameCodec;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WholeFrameCodecTests {

    private static final int BODY_SIZE = 5;
    private static final int CONTENTIONS = 3;

    private static final ByteBufPrimitiveCodec PRIMITIVES = new ByteBufPrimitiveCodec(UnpooledByteBufAllocator.DEFAULT);

    private static final FrameCodec<ByteBuf> SERVER = FrameCodec.defaultServer(PRIMITIVES, Compressor.none());

    private static InternalDriverContext drivers;
    private static InternalDriverContext ours;

    @BeforeAll
    static void makeContexts() {
        DriverConfigLoader config = DriverConfigLoader.fromString("""
                datastax-java-driver.advanced.netty {
                  io-group.shutdown.quiet-period = 0
                  admin-group.shutdown.quiet-period = 0
                }
                """);
        ProgrammaticArguments arguments = ProgrammaticArguments.builder().build();
        drivers = new DefaultDriverContext(config, arguments);
        SureSessionBuilder builder = (SureSessionBuilder) SureSessionBuilder.from(CqlSession.builder());
        ours = (InternalDriverContext) builder.buildContext(config, arguments);
    }

    @AfterAll
    static void close() {
        for (InternalDriverContext context : List.of(drivers, ours)) {
            context.getNettyOptions().onClose().awaitUninterruptibly();
        }
    }

    @Test
    void findsTheFrameAfterATimeoutUnderContention() {
        ByteBuf segment = timeoutUnderContention().writeBytes(ready(8));
        assertThat(ours.getFrameCodec().decode(segment).message).isInstanceOfSatisfying(WriteTimeout.class, timeout -> {
            assertThat(timeout.writeType).isEqualTo("CAS");
            assertThat(timeout.blockFor).isEqualTo(2);
        });
        Frame next = ours.getFrameCodec().decode(segment);
        assertThat(next.message).isInstanceOf(Ready.class);
        assertThat(next.streamId).isEqualTo(8);
        assertThat(segment.isReadable()).isFalse();
    }

    /** Fails when the driver has been fixed: then {@link WholeFrameCodec#decode} goes. */
    @Test
    void theDriverDoesNotFindIt() {
        ByteBuf segment = timeoutUnderContention().writeBytes(ready(8));
        assertThat(drivers.getFrameCodec().decode(segment).message).isInstanceOf(WriteTimeout.class);
        assertThatThrownBy(() -> drivers.getFrameCodec().decode(segment)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5})
    void asksForTheColumnsOfRowsAndChangesNothingElse(int version) {
        byte[] metadataId = version < 5 ? null : new byte[] {3, 4};
        QueryOptions options = new QueryOptions(
                ConsistencyLevel.QUORUM,
                NullAllowingImmutableList.of(ByteBuffer.wrap(new byte[] {9})),
                Map.of(),
                true,
                77,
                ByteBuffer.wrap(new byte[] {5}),
                ConsistencyLevel.LOCAL_SERIAL,
                123L,
                null,
                QueryOptions.NO_NOW_IN_SECONDS);
        Frame frame = Frame.forRequest(
                version,
                42,
                true,
                version < 4 ? Map.of() : Map.of("a", ByteBuffer.wrap(new byte[] {1})),
                new Execute(new byte[] {1, 2}, metadataId, options));
        assertThat(drivers.getFrameCodec().encode(frame))
                .satisfies(bytes -> assertThat(((Execute) SERVER.decode(bytes).message).options.skipMetadata)
                        .isTrue());

        ByteBuf whole = ours.getFrameCodec().encode(frame);
        ByteBuf into = UnpooledByteBufAllocator.DEFAULT.buffer();
        ours.getFrameCodec().encodeInto(frame, ours.getFrameCodec().encodedBodySize(frame), into);
        assertThat(into).isEqualTo(whole);
        assertThat(whole.readableBytes())
                .isEqualTo(ours.getFrameCodec().encodedHeaderSize(frame)
                        + ours.getFrameCodec().encodedBodySize(frame));

        Frame received = SERVER.decode(whole);
        assertThat(received)
                .usingRecursiveComparison()
                .ignoringFields("size", "message.options.skipMetadata", "message.options.flags")
                .isEqualTo(frame);
        assertThat(((Execute) received.message).options.skipMetadata).isFalse();
    }

    @Test
    void leavesEveryMethodToTheDriversCodec() {
        List<String> methods = Arrays.stream(FrameCodec.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                .map(method -> method.getName() + method.getParameterCount())
                .toList();
        assertThat(methods).isNotEmpty();
        assertThat(WholeFrameCodec.class.getDeclaredMethods())
                .extracting(method -> method.getName() + method.getParameterCount())
                .containsAll(methods);
    }

    /** As Cassandra sends it: with the number of contentions behind what the driver knows of. */
    private static ByteBuf timeoutUnderContention() {
        ByteBuf frame = response(7, new WriteTimeout("contended", ConsistencyLevel.SERIAL, 1, 2, "CAS"));
        frame.setInt(BODY_SIZE, frame.readableBytes() - V3_ENCODED_HEADER_SIZE + Short.BYTES);
        return frame.writeShort(CONTENTIONS);
    }

    private static ByteBuf ready(int stream) {
        return response(stream, new Ready());
    }

    private static ByteBuf response(int stream, Message message) {
        ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.buffer();
        return buffer.writeBytes(
                SERVER.encode(Frame.forResponse(5, stream, null, Frame.NO_PAYLOAD, List.of(), message)));
    }
}
