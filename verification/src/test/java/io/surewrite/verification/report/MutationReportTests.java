package io.surewrite.verification.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MutationReportTests {

    @TempDir
    Path directory;

    @Test
    void countsWhatWasNoticedAndListsTheRest() throws IOException {
        found("lease", """
                Tenure.java,io.surewrite.lease.Tenure,org.pitest.mutationtest.engine.gregor.mutators.MathMutator,renew,7,KILLED,x
                Tenure.java,io.surewrite.lease.Tenure,org.pitest.mutationtest.engine.gregor.mutators.MathMutator,renew,8,TIMED_OUT,none
                Tenure.java,io.surewrite.lease.Tenure,org.pitest.mutationtest.engine.gregor.mutators.VoidMethodCallMutator,lose,9,SURVIVED,none
                """);
        found("retry", """
                Call.java,io.surewrite.calls.Call,org.pitest.mutationtest.engine.gregor.mutators.returns.NullReturnValsMutator,go,3,NO_COVERAGE,none
                Call.java,io.surewrite.calls.Call,org.pitest.mutationtest.engine.gregor.mutators.MathMutator,go,4,RUN_ERROR,none
                Call.java,io.surewrite.calls.Call,org.pitest.mutationtest.engine.gregor.mutators.MathMutator,go,5,MEMORY_ERROR,none
                """);
        Files.setLastModifiedTime(
                directory.resolve("lease").resolve("mutations.csv"),
                FileTime.from(Instant.parse("2026-11-20T12:00:00Z"))); // an earlier run
        Path pages = directory.resolve("pages");

        MutationReport.write(directory, pages);

        assertThat(pages.resolve("lease.md"))
                .content()
                .contains(
                        "-Dmutation.packages=lease",
                        "| lease | 3 | 2 | 1 | 0 | 0 | 66.7 % | 2026-11-20 |",
                        "| `Tenure.lose`:9 | void method call | survived |")
                .doesNotContain("Tenure.renew");
        assertThat(pages.resolve("retry.md"))
                .content()
                .contains(
                        "| retry | 3 | 0 | 0 | 1 | 2 | 0.0 % | ",
                        "| `Call.go`:3 | null return vals | no test comes by |",
                        "| `Call.go`:4 | math | run error |",
                        "| `Call.go`:5 | math | memory error |");
    }

    private void found(String name, String mutations) throws IOException {
        Files.writeString(Files.createDirectories(directory.resolve(name)).resolve("mutations.csv"), mutations);
    }
}
