package io.surewrite.cql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WriteListenersTests {

    private final List<String> heard = new ArrayList<>();
    private final WriteListener both = WriteListener.all(List.of(new Ear("a"), new Ear("b")));

    @Test
    void tellsAllOfThemTheFirstOneFirst() {
        WriteListener.Call call = both.started("save");
        call.attemptFailed(1, FailureKind.UNKNOWN, new IllegalStateException("lost"));
        call.ended(WriteListener.End.SUCCEEDED, 2);
        assertThat(heard)
                .containsExactly(
                        "a: save",
                        "b: save",
                        "a: 1 UNKNOWN lost",
                        "b: 1 UNKNOWN lost",
                        "a: SUCCEEDED 2",
                        "b: SUCCEEDED 2");
    }

    @Test
    void tellsAllOfThemOfCircuits() {
        both.circuitMade("orders");
        both.circuitChanged("orders", "OPEN");
        assertThat(heard).containsExactly("a: made orders", "b: made orders", "a: orders OPEN", "b: orders OPEN");
    }

    @Test
    void asksEachForOneThatHearsOfATable() {
        both.about("orders").started("save");
        assertThat(heard).containsExactly("a of orders: save", "b of orders: save");
        assertThat(WriteListener.NONE.about("orders")).isSameAs(WriteListener.NONE);
    }

    @Test
    void closesWhatTheyOpenedForAnAttemptTheLastOneFirst() {
        WriteListener.Call call = both.started("save");
        heard.clear();
        call.attemptStarted().close();
        assertThat(heard).containsExactly("a: opens", "b: opens", "b: closes", "a: closes");
    }

    @Test
    void collectsTheirContexts() {
        assertThat(both.started("save").reactorContext()).isEqualTo(Map.of("a", "save", "b", "save"));
    }

    @Test
    void isNotWrappedTwice() {
        assertThat(WriteListener.all(List.of(both))).isSameAs(both);
        assertThat(WriteListener.all(List.of(WriteListener.NONE))).isSameAs(WriteListener.NONE);
    }

    private final class Ear implements WriteListener {

        private final String name;

        Ear(String name) {
            this.name = name;
        }

        private void hear(String what) {
            heard.add(name + ": " + what);
        }

        @Override
        public WriteListener about(String table) {
            return new Ear(name + " of " + table);
        }

        @Override
        public void circuitMade(String circuit) {
            hear("made " + circuit);
        }

        @Override
        public Call started(String operation) {
            hear(operation);
            return new Call() {
                @Override
                public Map<?, ?> reactorContext() {
                    return Map.of(name, operation);
                }

                @Override
                public WriteScope.Opened attemptStarted() {
                    hear("opens");
                    return () -> hear("closes");
                }

                @Override
                public void attemptFailed(int attempt, FailureKind kind, Throwable failure) {
                    hear(attempt + " " + kind + " " + failure.getMessage());
                }

                @Override
                public void ended(End end, int attempts) {
                    hear(end + " " + attempts);
                }
            };
        }

        @Override
        public void circuitChanged(String circuit, String state) {
            hear(circuit + " " + state);
        }
    }
}
