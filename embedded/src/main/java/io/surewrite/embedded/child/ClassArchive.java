package io.surewrite.embedded.child;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Writes the classes this JVM has loaded into a class-data-sharing archive, for the next start. The JVM must run with
 * {@code -XX:+RecordDynamicDumpInfo}. The result appears whole or not at all; a {@code .failed} file beside it tells why not.
 */
final class ClassArchive {

    private ClassArchive() {}

    static void write(Path file) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "vmCds",
                            new Object[] {new String[] {"dynamic_dump", part.toString()}},
                            new String[] {String[].class.getName()});
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (JMException | IOException | RuntimeException e) {
            Files.writeString(file.resolveSibling(file.getFileName() + ".failed"), e.toString());
        }
    }
}
