package io.surewrite.embedded;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The few messages of the native protocol (V4) that a start needs: is the server there, and create a keyspace; and rows as text.
 * A driver's session would take longer than the rest of it.
 */
final class CqlConnection implements Closeable {

    /** Consistency levels, by the numbers of the protocol. */
    enum Level {
        ONE(1),
        TWO(2),
        THREE(3),
        QUORUM(4),
        ALL(5);

        private final int code;

        Level(int code) {
            this.code = code;
        }
    }

    /** The server understood and said no. */
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    private static final int VERSION = 4;
    private static final int ERROR = 0x00;
    private static final int STARTUP = 0x01;
    private static final int READY = 0x02;
    private static final int OPTIONS = 0x05;
    private static final int SUPPORTED = 0x06;
    private static final int QUERY = 0x07;
    private static final int RESULT = 0x08;

    private static final int ROWS = 2;
    private static final int ONE_TABLE = 1;
    private static final int WARNINGS = 0x08;

    private static final int CUSTOM = 0x00;
    private static final int ASCII = 0x01;
    private static final int BOOLEAN = 0x04;
    private static final int VARCHAR = 0x0d;
    private static final int LIST = 0x20;
    private static final int MAP = 0x21;
    private static final int SET = 0x22;
    private static final int UDT = 0x30;
    private static final int TUPLE = 0x31;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    private CqlConnection(InetSocketAddress address, Duration timeout) throws IOException {
        int millis = Math.toIntExact(timeout.toMillis());
        socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(millis);
            socket.connect(address, millis);
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(socket.getOutputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Whether a server answers CQL clients there. */
    static boolean answers(InetSocketAddress address) {
        try (CqlConnection connection = new CqlConnection(address, Duration.ofSeconds(2))) {
            connection.exchange(OPTIONS, new byte[0], SUPPORTED);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    static CqlConnection open(InetSocketAddress address) throws IOException {
        CqlConnection connection = new CqlConnection(address, Duration.ofSeconds(30));
        try {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            DataOutputStream data = new DataOutputStream(body);
            data.writeShort(1);
            data.writeUTF("CQL_VERSION");
            data.writeUTF("3.0.0");
            connection.exchange(STARTUP, body.toByteArray(), READY);
            return connection;
        } catch (IOException e) {
            connection.close();
            throw e;
        }
    }

    /** Executes a statement, and shows a row as a text for each column. Of a type that is not shown, the bytes. */
    List<List<String>> query(String cql, Level level) throws IOException {
        byte[] answer = execute(cql, level);
        DataInputStream body = new DataInputStream(new ByteArrayInputStream(answer));
        return body.readInt() == ROWS ? rows(body) : List.of();
    }

    private static List<List<String>> rows(DataInputStream body) throws IOException {
        int flags = body.readInt();
        int columns = body.readInt();
        boolean oneTable = (flags & ONE_TABLE) != 0;
        if (oneTable) {
            body.readUTF();
            body.readUTF();
        }
        int[] types = new int[columns];
        for (int i = 0; i < columns; i++) {
            if (!oneTable) {
                body.readUTF();
                body.readUTF();
            }
            body.readUTF();
            types[i] = type(body);
        }
        List<List<String>> rows = new ArrayList<>();
        for (int left = body.readInt(); left > 0; left--) {
            List<String> row = new ArrayList<>();
            for (int type : types) {
                int length = body.readInt();
                row.add(length < 0 ? "null" : text(type, body.readNBytes(length)));
            }
            rows.add(row);
        }
        return rows;
    }

    /** Steps over what a type is made of. */
    private static int type(DataInputStream body) throws IOException {
        int type = body.readUnsignedShort();
        switch (type) {
            case CUSTOM -> body.readUTF();
            case LIST, SET -> type(body);
            case MAP -> {
                type(body);
                type(body);
            }
            case UDT -> {
                body.readUTF();
                body.readUTF();
                for (int fields = body.readUnsignedShort(); fields > 0; fields--) {
                    body.readUTF();
                    type(body);
                }
            }
            case TUPLE -> {
                for (int parts = body.readUnsignedShort(); parts > 0; parts--) {
                    type(body);
                }
            }
            default -> {}
        }
        return type;
    }

    private static String text(int type, byte[] value) {
        return switch (type) {
            case ASCII, VARCHAR -> new String(value, StandardCharsets.UTF_8);
            case BOOLEAN -> String.valueOf(value[0] != 0);
            default -> "0x" + HexFormat.of().formatHex(value);
        };
    }

    byte[] execute(String cql, Level level) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(body);
        byte[] text = cql.getBytes(StandardCharsets.UTF_8);
        data.writeInt(text.length);
        data.write(text);
        data.writeShort(level.code);
        data.writeByte(0); // no flags: no values, no paging
        return exchange(QUERY, body.toByteArray(), RESULT);
    }

    private byte[] exchange(int request, byte[] body, int expected) throws IOException {
        out.writeByte(VERSION);
        out.writeByte(0);
        out.writeShort(0);
        out.writeByte(request);
        out.writeInt(body.length);
        out.write(body);
        out.flush();
        in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        in.readUnsignedShort();
        int response = in.readUnsignedByte();
        byte[] answer = withoutWarnings(flags, in.readNBytes(in.readInt()));
        if (response == ERROR) {
            throw new RefusedException(new String(answer, 6, answer.length - 6, StandardCharsets.UTF_8));
        }
        if (response != expected) {
            throw new RefusedException("Unexpected answer 0x%02x to request 0x%02x".formatted(response, request));
        }
        return answer;
    }

    private static byte[] withoutWarnings(int flags, byte[] answer) throws IOException {
        if ((flags & WARNINGS) == 0) {
            return answer;
        }
        DataInputStream body = new DataInputStream(new ByteArrayInputStream(answer));
        for (int left = body.readUnsignedShort(); left > 0; left--) {
            body.skipNBytes(body.readUnsignedShort());
        }
        return body.readAllBytes();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
