package io.surewrite.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.write.WriteHolds.WriteHold;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WriteHoldsTests {

    private final Named one = new Named("one");
    private final Named other = new Named("other");

    @AfterEach
    void leaveNothingBehind() {
        assertThat(WriteHolds.current()).isSameAs(WriteHolds.NONE);
    }

    @Test
    void areWhatTheThreadIsBoundTo() {
        WriteHolds.Bound first = WriteHolds.bind(one);
        WriteHolds.Bound second = WriteHolds.bind(other);
        WriteHolds both = WriteHolds.current();
        assertThat(both).hasToString("one, other");
        assertThat(both.isEmpty()).isFalse();
        assertThat(both.contains(other)).isTrue();
        first.end();
        first.end();
        assertThat(WriteHolds.current()).hasToString("other");
        assertThat(WriteHolds.current().contains(one)).isFalse();
        second.end();
        assertThat(WriteHolds.current().isEmpty()).isTrue();
    }

    @Test
    void endOnWhateverThread() throws InterruptedException {
        WriteHolds.Bound bound = WriteHolds.bind(one);
        Thread another = new Thread(bound::end);
        another.start();
        another.join();
        assertThat(WriteHolds.current()).isSameAs(WriteHolds.NONE);
    }

    @Test
    void forgetWhatIsAskedForAnewAfterItsLoss() {
        WriteHolds.Bound first = WriteHolds.bind(one);
        WriteHolds.Bound second = WriteHolds.bind(other);
        WriteHolds.forgetLost("one");
        assertThat(WriteHolds.current()).hasToString("one, other");
        one.held = false;
        other.held = false;
        WriteHolds.forgetLost("one");
        // The other one is held against the thread until it asks for that.
        assertThat(WriteHolds.current()).hasToString("other");
        WriteHolds.forgetLost("other");
        assertThat(WriteHolds.current()).isSameAs(WriteHolds.NONE);
        WriteHolds.forgetLost("other");
        first.end();
        second.end();
    }

    private static final class Named implements WriteHold {

        private final String name;
        private boolean held = true;

        private Named(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean isHeld() {
            return held;
        }

        @Override
        public boolean permits(long timestamp) {
            return held;
        }

        @Override
        public RuntimeException refusal(long timestamp) {
            return new IllegalStateException(name);
        }
    }
}
