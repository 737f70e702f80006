package io.surewrite.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.surewrite.write.WriteHolds.WriteHold;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WriteHoldsTests {

    private final WriteHold one = held("one");
    private final WriteHold other = held("other");

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
        when(one.isHeld()).thenReturn(false);
        when(other.isHeld()).thenReturn(false);
        WriteHolds.forgetLost("one");
        // The other one is held against the thread until it asks for that.
        assertThat(WriteHolds.current()).hasToString("other");
        WriteHolds.forgetLost("other");
        assertThat(WriteHolds.current()).isSameAs(WriteHolds.NONE);
        WriteHolds.forgetLost("other");
        first.end();
        second.end();
    }

    private static WriteHold held(String name) {
        WriteHold hold = mock();
        when(hold.name()).thenReturn(name);
        when(hold.isHeld()).thenReturn(true);
        return hold;
    }
}
