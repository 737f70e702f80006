package io.surewrite.unique;

import com.datastax.oss.driver.api.core.CqlSession;
import io.micrometer.observation.ObservationRegistry;
import io.surewrite.embedded.SharedCassandra;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A writer in a JVM of its own that is dead, by {@link Runtime#halt}, at a chosen request to the server. */
final class DyingWriter {

    private static final int HALTED = 77;

    private DyingWriter() {}

    /** {@return whether it died; otherwise it was done before it came to that request} */
    static boolean dies(
            SharedCassandra server,
            String keyspace,
            MemberTable.Operation operation,
            UUID id,
            String email,
            int request)
            throws IOException, InterruptedException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-classpath",
                System.getProperty("java.class.path"),
                DyingWriter.class.getName(),
                Integer.toString(server.contactPoint().getPort()),
                server.localDatacenter(),
                keyspace,
                operation.name(),
                id.toString(),
                email,
                Integer.toString(request));
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("The writer hangs");
        }
        if (process.exitValue() != 0 && process.exitValue() != HALTED) {
            throw new AssertionError("The writer ended with " + process.exitValue());
        }
        return process.exitValue() == HALTED;
    }

    /** Writes a row: port, data centre, keyspace, operation, row, value and request. Nothing that follows that is begun. */
    public static void main(String[] args) {
        int last = Integer.parseInt(args[6]);
        try (CqlSession session =
                PlainSession.open(Integer.parseInt(args[0]), args[1], args[2], Duration.ofSeconds(20))) {
            CqlSession mortal = Wire.between(session, (number, statement, request) -> {
                var answer = request.get();
                if (number != last) {
                    return answer;
                }
                return answer.thenApply(answered -> {
                    Runtime.getRuntime().halt(HALTED);
                    return answered;
                });
            });
            UniqueFixture fixture = new UniqueFixture(mortal, ObservationRegistry.NOOP);
            new MemberTable(mortal, fixture)
                    .run(MemberTable.Operation.valueOf(args[3]), UUID.fromString(args[4]), args[5]);
        }
    }
}
