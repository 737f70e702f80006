package io.surewrite.internal.lwt;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.internal.lwt.ConditionLedger.Call;
import io.surewrite.internal.lwt.ConditionLedger.End;
import io.surewrite.internal.lwt.ConditionLedger.Write;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge of the simulation, fed with right histories and with wrong ones. */
class ConditionLedgerTests {

    private final List<String> violations = new ArrayList<>();
    private final ConditionLedger ledger = new ConditionLedger(violations::add, true);
    private final Call ours = ledger.call("ours");
    private final Write write = ledger.write(ours, 0);
    private final Write theirs = ledger.write(ledger.call("theirs"), 0);

    private void done(Write done) {
        ledger.applied(done);
        ledger.settled(done, true);
    }

    @Test
    void findsNothingWrongWithWhatIsRight() {
        done(write);
        ledger.ended(ours, End.DONE);
        ledger.settled(theirs, false);
        Call lost = ledger.call("lost");
        Write later = ledger.write(lost, 1);
        lost.lost();
        ledger.ended(lost, End.UNKNOWN);
        ledger.applied(later);
        ledger.shown("reader", 1, "ours");
        ledger.shown("reader", 2, "lost");
        assertThat(violations).isEmpty();
        assertThat(ledger.version()).isEqualTo(2);
    }

    @Test
    void anAttemptAfterOneThatWasAppliedIsTheSameWrite() {
        done(write);
        ledger.settled(ledger.write(ours, 0), true);
        assertThat(violations).isEmpty();
    }

    @Test
    void noticesASuccessThatMadeNothing() {
        ledger.settled(write, true);
        assertThat(violations).containsExactly("ours of version 0 is done, and has made version -1");
    }

    @Test
    void noticesASuccessOfACallThatMadeNothing() {
        ledger.ended(ours, End.DONE);
        assertThat(violations).containsExactly("ours is done, and has made nothing");
    }

    @Test
    void noticesASuccessInAnotherVersion() {
        ledger.applied(theirs);
        ledger.applied(write);
        ledger.settled(write, true);
        assertThat(violations).containsExactly("ours of version 0 is done, and has made version 2");
    }

    @Test
    void noticesARefusalOfWhatWasApplied() {
        ledger.applied(write);
        ledger.ended(ours, End.REFUSED);
        assertThat(violations).containsExactly("ours of version 0 is told as not done, and has made version 1");
    }

    @Test
    void noticesARefusalByItsOwnWrite() {
        ledger.applied(write);
        ledger.settled(write, false);
        assertThat(violations)
                .containsExactly(
                        "ours of version 0 is told as not done, and has made version 1",
                        "ours of version 0 is refused, and nobody else has won");
    }

    @Test
    void noticesARefusalWhereNobodyHasWon() {
        ledger.settled(write, false);
        assertThat(violations).containsExactly("ours of version 0 is refused, and nobody else has won");
    }

    @Test
    void noticesALateRunOfWhatWasRefused() {
        ledger.applied(theirs);
        ledger.settled(write, false);
        ledger.applied(write);
        assertThat(violations).containsExactly("ours of version 0 is applied after its caller was told that it is not");
    }

    @Test
    void noticesALateRunOfWhatWasNotDone() {
        ledger.ended(ours, End.NOT_DONE);
        ledger.applied(write);
        assertThat(violations).containsExactly("ours of version 0 is applied after its caller was told that it is not");
    }

    @Test
    void noticesARowThatIsWrittenTwice() {
        done(write);
        ledger.applied(write);
        assertThat(violations).containsExactly("ours of version 0 is applied twice");
    }

    @Test
    void noticesWhatIsUnknownWithoutALoss() {
        ledger.ended(ours, End.UNKNOWN);
        assertThat(violations).containsExactly("ours is unknown, and has lost nothing");
    }

    @Test
    void noticesAVersionOfTwoWriters() {
        ledger.shown("one", 1, "ours");
        ledger.shown("another", 1, "theirs");
        assertThat(violations).containsExactly("version 1 is shown twice");
    }

    @Test
    void noticesAVersionThatComesBack() {
        ledger.shown("one", 2, "ours");
        ledger.shown("one", 1, "theirs");
        assertThat(violations).containsExactly("one sees version 1 after a later one");
    }

    @Test
    void noticesACallThatNeverEnds() {
        ledger.rest();
        assertThat(violations).containsExactly("ours never ends");
    }
}
