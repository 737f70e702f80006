package io.surewrite.verification.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
                Call.java,io.surewrite.retry.Call,org.pitest.mutationtest.engine.gregor.mutators.returns.NullReturnValsMutator,go,3,NO_COVERAGE,none
                Call.java,io.surewrite.retry.Call,org.pitest.mutationtest.engine.gregor.mutators.MathMutator,go,4,RUN_ERROR,none
                """);
        Path page = directory.resolve("mutation.md");

        MutationReport.write(directory, page);

        assertThat(page)
                .content()
                .contains(
                        "| lease | 3 | 2 | 1 | 0 | 0 | 66.7 % |",
                        "| retry | 2 | 0 | 0 | 1 | 1 | 0.0 % |",
                        "| all | 5 | 2 | 1 | 1 | 1 | 40.0 % |",
                        "| `Tenure.lose`:9 | void method call | survived |",
                        "| `Call.go`:3 | null return vals | no test comes by |",
                        "| `Call.go`:4 | math | run error |")
                .doesNotContain("Tenure.renew");
    }

    private void found(String name, String mutations) throws IOException {
        Files.writeString(Files.createDirectories(directory.resolve(name)).resolve("mutations.csv"), mutations);
    }
}
