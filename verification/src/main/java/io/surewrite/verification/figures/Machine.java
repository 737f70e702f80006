package io.surewrite.verification.figures;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** What a program runs on. */
public final class Machine {

    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    private Machine() {}

    /** {@return its processors, memory, system and JDK, and how busy it is} */
    public static Map<String, String> conditions() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Map<String, String> conditions = new LinkedHashMap<>();
        conditions.put(
                "Machine",
                String.format(
                        Locale.ROOT,
                        "%s, %d processors, %d GB, %s",
                        processor(),
                        system.getAvailableProcessors(),
                        Math.round(system.getTotalMemorySize() / 1e9),
                        system.getName()));
        conditions.put("JDK", System.getProperty("java.runtime.version") + ", " + System.getProperty("java.vendor"));
        conditions.put("Load before", String.format(Locale.ROOT, "%.1f", system.getSystemLoadAverage()));
        return conditions;
    }

    /** The model where the system tells it, else its architecture. */
    private static String processor() {
        if (Files.isReadable(PROCESSORS)) {
            try (Stream<String> lines = Files.lines(PROCESSORS)) {
                return lines.filter(line -> line.startsWith("model name"))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .findFirst()
                        .orElseGet(Machine::architecture);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return architecture();
    }

    private static String architecture() {
        return System.getProperty("os.arch");
    }
}
