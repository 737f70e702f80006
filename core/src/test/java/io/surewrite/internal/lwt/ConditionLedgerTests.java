package io.surewrite.internal.lwt;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.internal.lwt.ConditionLedger.Call;
import io.surewrite.internal.lwt.ConditionLedger.End;
import io.surewrite.internal.lwt.ConditionLedger.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

    @ParameterizedTest
    @MethodSource("wrong")
    void noticesWhatIsWrong(String violation, Consumer<ConditionLedgerTests> history) {
        history.accept(this);
        assertThat(violations).containsExactly(violation);
    }

    static Stream<Arguments> wrong() {
        return Stream.of(
                wrong("ours of version 0 is done, and has made version -1", it -> it.ledger.settled(it.write, true)),
                wrong("ours is done, and has made nothing", it -> it.ledger.ended(it.ours, End.DONE)),
                wrong("ours of version 0 is done, and has made version 2", it -> {
                    it.ledger.applied(it.theirs);
                    it.done(it.write);
                }),
                wrong("ours of version 0 is told as not done, and has made version 1", it -> {
                    it.ledger.applied(it.write);
                    it.ledger.ended(it.ours, End.REFUSED);
                }),
                wrong(
                        "ours of version 0 is refused, and nobody else has won",
                        it -> it.ledger.settled(it.write, false)),
                wrong("ours of version 0 is applied after its caller was told that it is not", it -> {
                    it.ledger.applied(it.theirs);
                    it.ledger.settled(it.write, false);
                    it.ledger.applied(it.write);
                }),
                wrong("ours of version 0 is applied after its caller was told that it is not", it -> {
                    it.ledger.ended(it.ours, End.NOT_DONE);
                    it.ledger.applied(it.write);
                }),
                wrong("ours of version 0 is applied twice", it -> {
                    it.done(it.write);
                    it.ledger.applied(it.write);
                }),
                wrong("ours is unknown, and has lost nothing", it -> it.ledger.ended(it.ours, End.UNKNOWN)),
                wrong("version 1 is shown twice", it -> {
                    it.ledger.shown("one", 1, "ours");
                    it.ledger.shown("another", 1, "theirs");
                }),
                wrong("one sees version 1 after a later one", it -> {
                    it.ledger.shown("one", 2, "ours");
                    it.ledger.shown("one", 1, "theirs");
                }),
                wrong("ours never ends", it -> it.ledger.rest()));
    }

    private static Arguments wrong(String violation, Consumer<ConditionLedgerTests> history) {
        return Arguments.of(violation, history);
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
}
