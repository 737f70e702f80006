package io.surewrite.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogListenersTests {

    /** Otherwise a write that is durable would look as if it were not kept, and one that is done would be done again. */
    @Test
    void whatOneThrowsReachesNeitherTheBacklogNorTheOthers() {
        List<String> heard = new ArrayList<>();
        BacklogListener all = BacklogListener.all(List.of(new Failing(), new Noting(heard)));

        all.kept("a");
        all.notKept("b", new IllegalStateException());
        all.replayed("c", Duration.ZERO);
        all.expired("d");
        all.died(new DeadLetter(1, "e", "", "", List.of(), 0, Instant.EPOCH, DeadLetter.Reason.REJECTED, ""));

        assertThat(heard).containsExactly("a", "b", "c", "d", "e");
    }

    private record Noting(List<String> heard) implements BacklogListener {

        @Override
        public void kept(String operation) {
            heard.add(operation);
        }

        @Override
        public void notKept(String operation, Throwable why) {
            heard.add(operation);
        }

        @Override
        public void replayed(String operation, Duration waited) {
            heard.add(operation);
        }

        @Override
        public void expired(String operation) {
            heard.add(operation);
        }

        @Override
        public void died(DeadLetter letter) {
            heard.add(letter.operation());
        }
    }

    private static final class Failing implements BacklogListener {

        @Override
        public void kept(String operation) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void notKept(String operation, Throwable why) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void replayed(String operation, Duration waited) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void expired(String operation) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void died(DeadLetter letter) {
            throw new IllegalStateException("on purpose");
        }
    }
}
