package io.surewrite.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.calls.BadNetwork.Sent;
import io.surewrite.calls.Comparison.Lie;
import io.surewrite.calls.Comparison.What;
import io.surewrite.calls.Report.Outcome;
import io.surewrite.test.FrameProxy.Fate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each lie is noticed, and what is no lie passes. */
class ComparisonTests {

    private final Map<String, Map<String, Long>> times = new HashMap<>();
    private final Map<String, String> latest = new HashMap<>();
    private final Map<String, List<Sent>> sent = new HashMap<>();
    private final List<Report> reports = new ArrayList<>();

    @Test
    void doneMeansThatAllIsThere() {
        report(call(Kind.BEAN, "a", "b"), Outcome.DONE, 1, 2);
        there("a", 0, 10);
        assertLies(What.DONE_BUT_NOT_THERE);
        there("b", 0, 10);
        assertLies();
    }

    @Test
    void notDoneMeansThatNothingIsThere() {
        report(call(Kind.BEAN, "a", "b"), Outcome.NOT_DONE, 1, 2);
        assertLies();
        there("b", 0, 10);
        assertLies(What.NOT_DONE_BUT_THERE);
    }

    @Test
    void unknownMayBeEitherButNotLessThanWasSaid() {
        report(call(Kind.BEAN, "a", "b"), Outcome.UNKNOWN, 1, 2);
        report(call(Kind.STREAM, "a", "b"), Outcome.GIVEN_UP, 3, 4);
        assertLies();
        there("a", 0, 10);
        assertLies();
        Call call = call(Kind.BEAN, "c", "d");
        reports.add(new Report(call, Outcome.UNKNOWN, 1, Map.of(), 2, Set.of(), 1, 0, null));
        assertLies(What.FEWER_THERE_THAN_DONE);
        there("d", 2, 10);
        assertLies();
    }

    @Test
    void whatAStreamHasPassedOnIsThere() {
        Call call = call(Kind.STREAM, "a", "b");
        reports.add(new Report(
                call, Outcome.UNKNOWN, 1, Map.of(), 2, Set.of(call.first().mark()), 0, 0, null));
        there("b", 0, 10);
        assertLies(What.DONE_BUT_NOT_THERE);
    }

    @Test
    void aCallHasOneTimestampAndEachElementOfAStream() {
        report(call(Kind.BEAN, "a", "b"), Outcome.DONE, 1, 2);
        there("a", 0, 10);
        there("b", 0, 11);
        assertLies(What.TWO_TIMESTAMPS);
        reports.clear();
        report(new Call(0, Kind.STREAM, call(Kind.STREAM, 0, "a", "b").notes(), Duration.ZERO), Outcome.DONE, 1, 2);
        assertLies();
        sent("a", 0, 9, 1);
        assertLies(What.TWO_TIMESTAMPS);
    }

    @Test
    void nothingBeginsAfterTheEnd() {
        report(call(Kind.DISPOSED, "a", "b"), Outcome.GIVEN_UP, 1, 5);
        sent("a", 0, 10, 2);
        sent("a", 0, 10, 6);
        assertLies();
        sent("b", 0, 10, 7);
        assertLies(What.BEGUN_AFTER_THE_END);
    }

    @Test
    void statementsThatWereSentAtOnceArriveTogether() {
        report(call(Kind.CANCELLED_FUTURE, "a", "b"), Outcome.GIVEN_UP, 1, 5);
        sent("a", 0, 10, 6);
        sent("b", 0, 10, 6);
        assertLies();
        sent("b", 0, 10, 7);
        assertLies(What.BEGUN_AFTER_THE_END);
    }

    @Test
    void whatWasOnItsWayToTheDiskIsWrittenLater() {
        Call call = call(Kind.CANCELLED_KEPT, "a");
        int all = Comparison.ATTEMPTS;
        reports.add(new Report(call, Outcome.GIVEN_UP, 1, Map.of(), 5, Set.of(), 0, all - 1, null));
        sent("a", 0, 10, 6);
        sent("a", 0, 10, 7);
        assertLies(What.BEGUN_AFTER_THE_END);
        reports.set(0, new Report(call, Outcome.GIVEN_UP, 1, Map.of(), 5, Set.of(), 0, all, null));
        assertLies();
    }

    @Test
    void whatBeganAfterTheEndOfAnotherIsNewer() {
        report(call(Kind.SAVE, "a"), Outcome.UNKNOWN, 1, 2);
        report(call(Kind.SAVE, "a"), Outcome.DONE, 3, 4);
        there("a", 0, 20);
        there("a", 1, 10);
        assertLies(What.OLDER_OVER_NEWER);
    }

    @Test
    void theBoardShowsTheNewest() {
        report(call(Kind.SAVE, "a"), Outcome.DONE, 1, 2);
        report(call(Kind.SAVE, "a"), Outcome.DONE, 3, 4);
        there("a", 0, 10);
        there("a", 1, 20);
        assertLies();
        latest.put("a", mark(0));
        assertLies(What.OLDER_OVER_NEWER);
    }

    @Test
    void whatIsAppendedUnderALeaseStays() {
        String board = "b00-l00";
        report(call(Kind.LEASED, board), Outcome.DONE, 1, 4);
        report(call(Kind.LEASED, board), Outcome.UNKNOWN, 1, 4);
        report(call(Kind.LEASED, board), Outcome.DONE, 2, 5);
        there(board, 0, 10);
        there(board, 2, 20);
        latest.put(board, "<00-000000.0><00-000002.0>");
        assertLies();
        latest.put(board, "<00-000002.0>");
        assertLies(What.LOST_UPDATE);
    }

    /** The order is that of the holds, not that of the calls. */
    @Test
    void whatIsDecidedUnderALaterHoldIsNewer() {
        String board = "b00-l00";
        Call early = call(Kind.LEASED, board);
        reports.add(new Report(early, Outcome.DONE, 1, Map.of(early.first().mark(), 6L), 7, Set.of(), 0, 0, null));
        report(call(Kind.LEASED, board), Outcome.DONE, 2, 5);
        there(board, 0, 10);
        there(board, 1, 20);
        latest.put(board, "<00-000000.0><00-000001.0>");
        assertLies(What.OLDER_OVER_NEWER);
    }

    private void assertLies(What... lies) {
        Map<String, Board> boards = new HashMap<>();
        times.forEach((name, all) -> {
            Map.Entry<String, Long> newest =
                    all.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
            boards.put(name, new Board(latest.getOrDefault(name, newest.getKey()), newest.getValue(), all));
        });
        assertThat(Comparison.of(reports, boards, mark -> sent.getOrDefault(mark, List.of())))
                .extracting(Lie::what)
                .containsOnlyOnce(lies)
                .hasSize(lies.length);
    }

    private Call call(Kind kind, String... boards) {
        return call(kind, reports.size(), boards);
    }

    private static Call call(Kind kind, int number, String... boards) {
        List<Note> notes = IntStream.range(0, boards.length)
                .mapToObj(each -> Note.on(boards[each], "m00-%06d.%d".formatted(number, each)))
                .toList();
        return new Call(number, kind, notes, Duration.ZERO);
    }

    private void report(Call call, Outcome outcome, long begin, long end) {
        reports.add(new Report(call, outcome, begin, Map.of(), end, Set.of(), 0, 0, null));
    }

    private void there(String board, int call, long time) {
        times.computeIfAbsent(board, first -> new HashMap<>()).put(mark(board, call), time);
    }

    private void sent(String board, int call, long timestamp, long at) {
        sent.computeIfAbsent(mark(board, call), first -> new ArrayList<>())
                .add(new Sent(Fate.DELIVERED, timestamp, at));
    }

    private static String mark(int call) {
        return "m00-%06d.0".formatted(call);
    }

    private String mark(String board, int call) {
        return reports.get(call).call().notes().stream()
                .filter(note -> note.board().equals(board))
                .findFirst()
                .orElseThrow()
                .mark();
    }
}
