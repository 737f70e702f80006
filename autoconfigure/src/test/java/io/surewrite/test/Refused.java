package io.surewrite.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.write.InvalidConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What one start was refused for: it reports everything, so one start is enough for a table of refusals. */
public final class Refused {

    private final List<InvalidConfigurationException> refusals;

    private Refused(List<InvalidConfigurationException> refusals) {
        this.refusals = refusals;
    }

    /** Starts an application that is refused. */
    public static Refused of(ApplicationContextRunner application, Class<?>... repositories) {
        ApplicationContextRunner runner = application;
        for (Class<?> repository : repositories) {
            runner = OwnServer.with(repository, runner);
        }
        List<InvalidConfigurationException> refusals = new ArrayList<>();
        runner.run(context -> {
            assertThat(context).hasFailed();
            Throwable cause = context.getStartupFailure();
            while (!(cause instanceof InvalidConfigurationException refused)) {
                cause = cause.getCause();
            }
            refusals.addAll(refused.refusals());
        });
        return new Refused(refusals);
    }

    /** {@return the refusal that says all of this; fails where there is none} */
    public InvalidConfigurationException saying(String... messages) {
        return refusals.stream()
                .filter(refused -> Stream.of(messages).allMatch(refused.getMessage()::contains))
                .findFirst()
                .orElseThrow(() -> new AssertionError(List.of(messages) + " is not said by " + refusals));
    }

    /** Fails where something is said of a repository that may be. */
    public void sayingNothingOf(String repository) {
        assertThat(refusals).extracting(Throwable::getMessage).noneMatch(message -> message.contains(repository));
    }
}
