package io.surewrite.autoconfigure;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.FileSystemGeneratedFiles;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ClassUtils;

/**
 * Does to an application what a build with AOT processing does, and runs what comes of it. Once in each JVM for one application:
 * what is generated belongs to the packages of the configurations, under names that have the application's.
 */
final class AheadOfTime {

    private final Path directory;
    private final ClassLoader loader = AheadOfTime.class.getClassLoader();

    AheadOfTime(Path directory) {
        this.directory = directory;
    }

    /** Returns it not refreshed yet. The environment is that of the processing and of the run. */
    GenericApplicationContext process(
            Class<?> application, Consumer<? super ConfigurableApplicationContext> environment) throws Exception {
        AnnotationConfigApplicationContext described = new AnnotationConfigApplicationContext();
        described.register(application);
        environment.accept(described);
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get(application), application.getSimpleName()),
                new FileSystemGeneratedFiles(kind -> directory.resolve(kind.name())));
        ClassName initializer = new ApplicationContextAotGenerator().processAheadOfTime(described, generation);
        generation.writeGeneratedContent();
        described.close();
        Path classes = Files.createDirectories(directory.resolve(Kind.CLASS.name()));
        compile(files(directory.resolve(Kind.SOURCE.name()), ".java"), classes);
        for (Path file : files(classes, ".class")) {
            define(application, classes.relativize(file).toString().replace('/', '.'), Files.readAllBytes(file));
        }
        GenericApplicationContext context = new GenericApplicationContext();
        environment.accept(context);
        @SuppressWarnings("unchecked") // by what was generated
        ApplicationContextInitializer<GenericApplicationContext> made =
                (ApplicationContextInitializer<GenericApplicationContext>)
                        ClassUtils.forName(initializer.reflectionName(), loader)
                                .getDeclaredConstructor()
                                .newInstance();
        made.initialize(context);
        return context;
    }

    private static List<Path> files(Path root, String ending) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }

    private static void compile(List<Path> sources, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            null,
                            manager,
                            null,
                            List.of("-d", classes.toString(), "-proc:none", "-nowarn", "-parameters"),
                            null,
                            manager.getJavaFileObjectsFromPaths(sources))
                    .call();
            if (!compiled) {
                throw new IllegalStateException("What was generated does not compile: " + sources);
            }
        }
    }

    /** In the package of the class that it is about, whose members it may use. */
    private void define(Class<?> application, String file, byte[] code) throws Exception {
        String name = file.substring(0, file.length() - ".class".length());
        if (ClassUtils.isPresent(name, loader)) {
            return; // a proxy, which was needed for the processing itself
        }
        String about = name.split("__|\\$\\$", 2)[0];
        List<String> neighbours = new ArrayList<>(List.of(about, about.split("[$_]", 2)[0]));
        if (ClassUtils.getPackageName(name).equals(application.getPackageName())) {
            neighbours.add(application.getName()); // a repository's, which has only the name in common
        }
        for (String neighbour : neighbours) {
            if (ClassUtils.isPresent(neighbour, loader)) {
                MethodHandles.privateLookupIn(ClassUtils.forName(neighbour, loader), MethodHandles.lookup())
                        .defineClass(code);
                return;
            }
        }
        throw new IllegalStateException("Nothing beside " + name);
    }
}
