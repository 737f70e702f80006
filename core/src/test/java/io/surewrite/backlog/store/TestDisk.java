package io.surewrite.backlog.store;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.concurrent.Semaphore;
import org.sqlite.SQLiteConfig;

/** A disk that flushes when it is let, and fails when it is told to. */
public final class TestDisk implements GroupCommit.Log, SqliteBacklogStore.Disk {

    /** One for each flush. */
    public final Semaphore flushes = new Semaphore(0);

    /** Whether flushes fail. */
    public volatile boolean broken;

    /** Whether flushes end in an error of the virtual machine. */
    public volatile boolean dying;

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

    /** A store on this disk, without bounds. */
    public SqliteBacklogStore store(Path directory) {
        return new SqliteBacklogStore(directory, Long.MAX_VALUE, Long.MAX_VALUE, false, new SQLiteConfig(), this);
    }

    @Override
    public GroupCommit.Log log(Path file) {
        return this;
    }

    @Override
    public Connection database(Connection opened) {
        return faulty(Connection.class, opened, "");
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
                            fault.on(arguments == null ? text : (String) arguments[0], call);
                        case "close" -> text.isEmpty() ? call.run() : fault.on("close", call);
                        default -> call.run();
                    };
                }));
    }

    @Override
    public void force() throws IOException {
        flushes.acquireUninterruptibly();
        if (broken) {
            throw new IOException("no disk");
        }
        if (dying) {
            throw new OutOfMemoryError("no memory");
        }
    }

    @Override
    public void close() {}
}
