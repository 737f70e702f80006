package io.surewrite.docs;

import com.sun.source.util.JavacTask;
import io.surewrite.docs.Page.Block;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles the Java of a page. A block with imports is a file of its own, in the page's package. The others are members and
 * statements, which see what the page takes for granted: the types and variables of {@code <page>.members}, a resource of this package;
 * a {@code class Base} there is what the block's class extends.
 */
final class JavaBlocks {

    /** What a block leaves out: the constructor that sets its final fields. */
    private static final Set<String> LEFT_OUT = Set.of(
            "compiler.err.var.not.initialized.in.default.constructor",
            "compiler.err.var.might.not.have.been.initialized");

    private static final Pattern TYPE =
            Pattern.compile("(?m)^(?:public )?(?:final |abstract )?(?:class|interface|record|enum|@interface) (\\w+)");

    private static final Pattern BRACES = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|//.*|([{}])");

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    private final List<Source> sources = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    /** Lines of a file, each with its place in the documentation. */
    private static final class Source extends SimpleJavaFileObject {

        private final StringBuilder text = new StringBuilder();
        private final List<String> places = new ArrayList<>();

        Source(String name) {
            super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
        }

        void add(String place, String lines) {
            for (String line : lines.split("\n", -1)) {
                text.append(line).append('\n');
                places.add(place);
            }
        }

        void add(Block block, int from, int to) {
            for (int i = from; i < to; i++) {
                add(
                        block.page().name() + ":" + (block.line() + i),
                        block.lines().get(i));
            }
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private JavaBlocks(Page page) {
        String home = packageOf(page);
        String assumed = resource(home.replace("snippets.", "") + ".members");
        Source members = new Source(home + ".Everything");
        members.add("package", "package " + home + ";");
        members.add("Imports", resource("Imports"));
        members.add("class", "abstract class Everything {");
        members.add(home + ".members", assumed);
        if (!assumed.contains("class Base ")) {
            members.add("class", "static class Base {}");
        }
        int number = 0;
        for (Block block : page.blocks("java")) {
            if (block.text().startsWith("import ")) {
                Matcher type = TYPE.matcher(block.text());
                if (type.find()) {
                    Source unit = new Source(home + "." + type.group(1));
                    unit.add("package", "package " + home + ";");
                    unit.add(block, 0, block.lines().size());
                    sources.add(unit);
                } else {
                    problems.add(block.place() + ": imports without a type");
                }
            } else {
                members.add("class", "abstract class Block" + number++ + " extends Base {");
                addParts(block, members);
                members.add("class", "}");
            }
        }
        members.add("class", "}");
        sources.add(members);
    }

    /** {@return where the classes of the page are: {@code snippets.docs_leases} of {@code docs/leases.md}} */
    static String packageOf(Page page) {
        return "snippets."
                + page.name().replace(".md", "").replaceAll("\\W", "_").toLowerCase(Locale.ROOT);
    }

    /** {@return what does not compile, each with its place} */
    static List<String> problemsOf(List<Page> pages, Path classes) {
        List<String> problems = new ArrayList<>();
        List<Source> sources = new ArrayList<>();
        for (Page page : pages) {
            if (!page.blocks("java").isEmpty()) {
                JavaBlocks blocks = new JavaBlocks(page);
                problems.addAll(blocks.problems);
                sources.addAll(blocks.sources);
            }
        }
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        Boolean compiled = COMPILER.getTask(
                        null,
                        null,
                        found,
                        List.of("-proc:none", "-nowarn", "-parameters", "-d", classes.toString()),
                        null,
                        sources)
                .call();
        for (Diagnostic<? extends JavaFileObject> diagnostic : found.getDiagnostics()) {
            if (diagnostic.getKind() == Diagnostic.Kind.ERROR && !LEFT_OUT.contains(diagnostic.getCode())) {
                problems.add(placeOf(diagnostic) + ": " + diagnostic.getMessage(null));
            }
        }
        if (!compiled && found.getDiagnostics().isEmpty()) {
            problems.add("The compiler failed without a word");
        }
        return problems;
    }

    private static String placeOf(Diagnostic<? extends JavaFileObject> diagnostic) {
        return diagnostic.getSource() instanceof Source source
                ? source.places.get((int) diagnostic.getLineNumber() - 1)
                : "the compiler";
    }

    /** Parts are parted by empty lines outside of braces; each is a member, a statement, or an annotation of something. */
    private void addParts(Block block, Source members) {
        List<int[]> statements = new ArrayList<>();
        int depth = 0;
        int from = 0;
        List<String> lines = block.lines();
        for (int i = 0; i < lines.size(); i++) {
            lines.set(i, filledIn(lines.get(i)));
        }
        for (int i = 0; i <= lines.size(); i++) {
            if (i == lines.size() || (lines.get(i).isBlank() && depth == 0)) {
                String part = String.join("\n", lines.subList(from, i));
                if (parses("class Part { " + part + "\n}")) {
                    members.add(block, from, i);
                } else if (parses("class Part { void run() { " + part + "\n} }")) {
                    statements.add(new int[] {from, i});
                } else if (parses(part + "\nclass Part {}")) {
                    members.add(block, from, i);
                    members.add("class", "class Annotated" + i + " {}");
                } else {
                    problems.add(block.page().name() + ":" + (block.line() + from) + ": neither member nor statement:\n"
                            + part);
                }
                from = i + 1;
            } else {
                depth += depthOf(lines.get(i));
            }
        }
        members.add("class", "void run() throws Throwable {");
        statements.forEach(part -> members.add(block, part[0], part[1]));
        members.add("class", "}");
    }

    /** Dots stand for what the reader writes. */
    private static String filledIn(String line) {
        return line.replaceFirst("^\\s*\\.\\.\\.$", "throw new UnsupportedOperationException();")
                .replace("{ … }", "{ throw new UnsupportedOperationException(); }");
    }

    private static int depthOf(String line) {
        return BRACES.matcher(line)
                .results()
                .filter(brace -> brace.group(1) != null)
                .mapToInt(brace -> brace.group(1).equals("{") ? 1 : -1)
                .sum();
    }

    private static boolean parses(String text) {
        Source source = new Source("Part");
        source.add("part", text);
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try {
            ((JavacTask) COMPILER.getTask(null, null, found, List.of("-proc:none"), null, List.of(source))).parse();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return found.getDiagnostics().stream().noneMatch(it -> it.getKind() == Diagnostic.Kind.ERROR);
    }

    private static String resource(String name) {
        try (InputStream in = JavaBlocks.class.getResourceAsStream(name)) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
