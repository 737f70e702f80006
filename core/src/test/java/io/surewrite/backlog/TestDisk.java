package io.surewrite.backlog;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** A disk that commits when it is let, and fails when it is told to. */
public final class TestDisk {

    /** One for each commit. */
    public final Semaphore commits = new Semaphore(0);

    /** Whether commits fail. */
    public volatile boolean broken;

    /** How many commands have failed by {@link #refuse}. */
    public final AtomicInteger refused = new AtomicInteger();

    /** What happens to commands on their way to the database. */
    volatile Fault fault = (command, real) -> real.run();

    /** What happens to a command. */
    interface Fault {

        /**
         * Does it, or something else.
         *
         * @param command a statement, or {@code close} where one is closed
         */
        Object on(String command, Real real) throws Throwable;
    }

    /** The command itself. */
    interface Real {

        Object run() throws Throwable;
    }

    /** A disk that commits at once. */
    public static TestDisk ready() {
        TestDisk disk = new TestDisk();
        disk.commits.release(1_000_000);
        return disk;
    }

    /** A store on this disk, without bounds. */
    public SqliteBacklogStore store(Path directory) {
        return new SqliteBacklogStore(
                directory,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                false,
                BacklogFile.lasting(),
                opened -> faulty(Connection.class, opened, ""));
    }

    /** Has commands fail for want of room so many times. */
    public void refuse(String beginning, int times) {
        AtomicInteger left = new AtomicInteger(times);
        fault = (command, real) -> {
            if (command.startsWith(beginning) && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                refused.incrementAndGet();
                throw new SQLiteException("planted", SQLiteErrorCode.SQLITE_FULL);
            }
            return real.run();
        };
    }

    private <T> T faulty(Class<T> type, Object real, String text) {
        return type.cast(Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Real call = () -> {
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException failure) {
                            throw failure.getCause();
                        }
                    };
                    return switch (method.getName()) {
                        case "createStatement" -> faulty(Statement.class, call.run(), "");
                        case "prepareStatement" -> faulty(PreparedStatement.class, call.run(), (String) arguments[0]);
                        case "execute", "executeUpdate", "executeQuery" ->
                            command(arguments == null ? text : (String) arguments[0], call);
                        case "close" -> text.isEmpty() ? call.run() : fault.on("close", call);
                        default -> call.run();
                    };
                }));
    }

    private Object command(String command, Real real) throws Throwable {
        if (command.equals("COMMIT")) {
            commits.acquireUninterruptibly();
            if (broken) {
                throw new SQLiteException("no disk", SQLiteErrorCode.SQLITE_IOERR);
            }
        }
        return fault.on(command, real);
    }
}
