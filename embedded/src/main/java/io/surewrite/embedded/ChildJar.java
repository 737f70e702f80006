package io.surewrite.embedded;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A jar of the few classes that run in the server's JVM, so that the server's class path has nothing else of the
 * application's, and no directory: class-data sharing allows none. It stands first on that class path: for a JDK without a
 * security manager it has a class that takes the place of Cassandra's, and for Cassandra 4 on a newer one than it supports a class that
 * takes the place of jamm's.
 */
final class ChildJar {

    static final String MAIN_CLASS = "io.surewrite.embedded.child.ServerMain";

    private static final List<String> CLASSES = List.of(
            "io/surewrite/embedded/child/ServerMain.class",
            "io/surewrite/embedded/child/NodeLock.class",
            "io/surewrite/embedded/child/ClassArchive.class",
            "io/surewrite/embedded/child/Links.class",
            "io/surewrite/embedded/child/Operations.class",
            "io/surewrite/embedded/child/Reply.class");

    private static final String HERE = "io/surewrite/embedded/child/";

    /** Classes that are replaced: each by the class of its name that is {@link #HERE}. */
    private static final String SECURITY_MANAGER = "org/apache/cassandra/security/ThreadAwareSecurityManager";

    private static final String MEMORY_METER = "org/github/jamm/MemoryMeter";

    private ChildJar() {}

    /** The jar for a Cassandra on a JDK, in the cache, named by its content, or else in a node's directory. */
    static Path in(@Nullable Path cache, Path nodeDirectory, String cassandra, Jdk jdk) throws IOException {
        byte[] jar = pack(cassandra, jdk);
        Path folder = cache == null ? nodeDirectory : cache;
        Path file = folder.resolve("child-" + Fingerprint.of(jar) + ".jar");
        if (!Files.exists(file)) {
            Path part = Files.createTempFile(folder, "child-", ".part");
            Files.write(part, jar);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return file;
    }

    private static byte[] pack(String cassandra, Jdk jdk) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (String name : CLASSES) {
                add(zip, name, read(name));
            }
            if (!jdk.hasSecurityManager()) {
                replace(zip, SECURITY_MANAGER);
            }
            if (SupportedJdks.needMemoryMeter(cassandra, jdk)) {
                replace(zip, MEMORY_METER);
            }
        }
        return bytes.toByteArray();
    }

    private static void replace(ZipOutputStream zip, String theirs) throws IOException {
        String ours = HERE + theirs.substring(theirs.lastIndexOf('/') + 1);
        add(zip, theirs + ".class", renamed(read(ours + ".class"), ours, theirs));
    }

    private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(0); // The same content makes the same jar.
        zip.putNextEntry(entry);
        zip.write(content);
    }

    private static byte[] read(String name) throws IOException {
        try (InputStream in = ChildJar.class.getClassLoader().getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("This jar lacks " + name);
            }
            return in.readAllBytes();
        }
    }

    /** A class file with another name for its class: the texts in its constant pool, which all else refers to. */
    private static byte[] renamed(byte[] classFile, String from, String to) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(in.readLong()); // magic number and version
        int constants = in.readUnsignedShort();
        out.writeShort(constants);
        for (int i = 1; i < constants; i++) {
            int tag = in.readUnsignedByte();
            out.writeByte(tag);
            switch (tag) {
                case 1 -> out.writeUTF(in.readUTF().replace(from, to));
                case 5, 6 -> { // A long or a double counts twice.
                    out.writeLong(in.readLong());
                    i++;
                }
                case 7, 8, 16, 19, 20 -> out.writeShort(in.readUnsignedShort());
                case 15 -> out.write(in.readNBytes(3));
                default -> out.writeInt(in.readInt());
            }
        }
        in.transferTo(out);
        return bytes.toByteArray();
    }
}
