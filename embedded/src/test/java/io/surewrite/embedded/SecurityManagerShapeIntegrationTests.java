package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.FieldVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;

/** Reads the classes of each Cassandra for what they use of the one that ours takes the place of. */
class SecurityManagerShapeIntegrationTests {

    private static final String NAME = "org/apache/cassandra/security/ThreadAwareSecurityManager";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {Options.DEFAULT_VERSION, "6.0-alpha2"})
    void hasAllThatCassandraUsesOfIt(String version) throws IOException {
        Set<String> used = new TreeSet<>();
        try (JarFile cassandra = new JarFile(cassandra(version).toFile())) {
            for (Enumeration<JarEntry> entries = cassandra.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                // Not the class itself, nor those inside it.
                if (entry.getName().endsWith(".class") && !entry.getName().startsWith(NAME)) {
                    visit(cassandra, entry, new Uses(used));
                }
            }
        }
        assertThat(used).as("else the question is wrong").contains("static method install()V");
        assertThat(provided()).containsAll(used);
    }

    private static Path cassandra(String version) {
        return new ServerClassPath(UserDirectories.cache(), new MavenResolver())
                .of(version).stream()
                        .filter(jar -> jar.endsWith("cassandra-all-" + version + ".jar"))
                        .findFirst()
                        .orElseThrow();
    }

    private Set<String> provided() throws IOException {
        Set<String> members = new TreeSet<>();
        Path jar = ChildJar.in(folder, folder, Options.DEFAULT_VERSION, new Jdk(folder, "25", 25));
        try (JarFile child = new JarFile(jar.toFile())) {
            visit(child, child.getJarEntry(NAME + ".class"), new PublicMembers(members));
        }
        return members;
    }

    private static void visit(JarFile jar, JarEntry entry, ClassVisitor visitor) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            byte[] bytes = in.readAllBytes();
            if (new String(bytes, StandardCharsets.ISO_8859_1)
                    .contains(NAME)) { // Few do, and the rest is the most of the time.
                new ClassReader(bytes).accept(visitor, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
        }
    }

    private static String member(boolean isStatic, String kind, String name, String descriptor) {
        return (isStatic ? "static " : "") + kind + " " + name + descriptor;
    }

    private static final class PublicMembers extends ClassVisitor {

        private final Set<String> members;

        PublicMembers(Set<String> members) {
            super(SpringAsmInfo.ASM_VERSION);
            this.members = members;
        }

        private static boolean is(int access, int flag) {
            return (access & flag) != 0;
        }

        @Override
        public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
            if (is(access, Opcodes.ACC_PUBLIC)) {
                members.add(member(is(access, Opcodes.ACC_STATIC), "field", name, descriptor));
            }
            return null;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            if (is(access, Opcodes.ACC_PUBLIC)) {
                members.add(member(is(access, Opcodes.ACC_STATIC), "method", name, descriptor));
            }
            return null;
        }
    }

    /** What code calls and reads; an instance, or a class below it, would be in the list too, and not among our members. */
    private static final class Uses extends ClassVisitor {

        private final Set<String> used;

        Uses(Set<String> used) {
            super(SpringAsmInfo.ASM_VERSION);
            this.used = used;
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
            if (parent != null && parent.startsWith(NAME)) {
                used.add("class below it " + name);
            }
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            return new MethodVisitor(SpringAsmInfo.ASM_VERSION) {
                @Override
                public void visitMethodInsn(int code, String owner, String called, String type, boolean isInterface) {
                    if (owner.equals(NAME)) {
                        used.add(member(code == Opcodes.INVOKESTATIC, "method", called, type));
                    }
                }

                @Override
                public void visitFieldInsn(int code, String owner, String field, String type) {
                    if (owner.equals(NAME)) {
                        used.add(member(code == Opcodes.GETSTATIC, "field", field, type));
                    }
                }

                @Override
                public void visitTypeInsn(int code, String type) {
                    if (type.startsWith(NAME)) {
                        used.add("instance of " + type);
                    }
                }
            };
        }
    }
}
