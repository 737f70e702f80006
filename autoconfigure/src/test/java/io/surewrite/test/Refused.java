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

    /**
     * Starts an application that is refused.
     *
     * @param application what to start
     * @param repositories its repositories
     * @return what it was refused for
     */
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

    /**
     * Fails where no refusal says all of this.
     *
     * @param messages parts of one message
     * @return the refusal
     */
    public InvalidConfigurationException saying(String... messages) {
        return refusals.stream()
                .filter(refused -> Stream.of(messages).allMatch(refused.getMessage()::contains))
                .findFirst()
                .orElseThrow(() -> new AssertionError(List.of(messages) + " is not said by " + refusals));
    }

    /**
     * Fails where something is said of what may be.
     *
     * @param repository a part of a message, such as the name of a repository
     */
    public void sayingNothingOf(String repository) {
        assertThat(refusals).extracting(Throwable::getMessage).noneMatch(message -> message.contains(repository));
    }
}
