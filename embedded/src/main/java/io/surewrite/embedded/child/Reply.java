package io.surewrite.embedded.child;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Callable;

/** How the parent hears of the end of what it has told: by a file that appears whole, or by one beside it that says what is wrong. */
final class Reply {

    private Reply() {}

    /**
     * Does the work and says what came out.
     *
     * @param done the file for its answer; {@code .failed} is added to its name where the work fails
     * @param work what the parent wants
     * @throws IOException if neither can be written
     */
    static void to(Path done, Callable<String> work) throws IOException {
        String answer;
        try {
            answer = work.call();
        } catch (Exception e) {
            write(done.resolveSibling(done.getFileName() + ".failed"), rootOf(e).toString());
            return;
        }
        write(done, answer);
    }

    private static void write(Path file, String content) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(part, content);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
