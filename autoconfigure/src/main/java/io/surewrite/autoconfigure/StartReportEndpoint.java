package io.surewrite.autoconfigure;

import io.surewrite.write.InvalidConfigurationException;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** Shows what a start with {@code surewrite.start=report} has found. */
@Endpoint(id = "surewrite")
record StartReportEndpoint(Supplier<List<InvalidConfigurationException>> found) {

    /** Something that cannot be sure as it is. */
    public record Finding(String subject, String problem, String fix, String page) {

        private static Finding of(InvalidConfigurationException found) {
            return new Finding(
                    found.subject(), HumanText.of(found.problem()), found.fix(), HumanText.page(found.page()));
        }
    }

    /** {@return each finding once, first those of what many rely on} */
    @ReadOperation
    public List<Finding> findings() {
        return found.get().stream().map(Finding::of).toList();
    }
}
