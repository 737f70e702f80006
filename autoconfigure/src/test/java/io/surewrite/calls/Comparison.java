package io.surewrite.calls;

import io.surewrite.calls.BadNetwork.Sent;
import io.surewrite.calls.Report.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Compares what callers were told with the rows. */
final class Comparison {

    /** Of each call. */
    static final int ATTEMPTS = 3;

    private final Map<String, Board> boards;
    private final Function<String, List<Sent>> sent;
    private final List<Lie> lies = new ArrayList<>();

    /** What is wrong. */
    enum What {
        DONE_BUT_NOT_THERE,
        NOT_DONE_BUT_THERE,
        FEWER_THERE_THAN_DONE,
        TWO_TIMESTAMPS,
        BEGUN_AFTER_THE_END,
        OLDER_OVER_NEWER,
        LOST_UPDATE
    }

    /** What is wrong, and with which call. */
    record Lie(What what, Report report, String detail) {}

    private Comparison(Map<String, Board> boards, Function<String, List<Sent>> sent) {
        this.boards = boards;
        this.sent = sent;
    }

    /** {@return what is wrong, by what there is when nothing is on its way any more, and how each statement was sent} */
    static List<Lie> of(List<Report> reports, Map<String, Board> boards, Function<String, List<Sent>> sent) {
        Comparison comparison = new Comparison(boards, sent);
        reports.forEach(comparison::outcome);
        reports.forEach(comparison::timestamps);
        reports.forEach(comparison::begunLate);
        comparison.order(reports);
        return comparison.lies;
    }

    private void lie(What what, Report report, String detail) {
        lies.add(new Lie(what, report, detail));
    }

    private Board board(Note note) {
        return boards.getOrDefault(note.board(), Board.EMPTY);
    }

    private boolean isThere(Note note) {
        return board(note).times().containsKey(note.mark());
    }

    // ---- outcomes ----

    private void outcome(Report report) {
        List<Note> notes = report.call().notes();
        List<Note> there = notes.stream().filter(this::isThere).toList();
        int wanted = switch (report.outcome()) {
            case DONE -> notes.size();
            case NOT_DONE -> 0;
            case UNKNOWN, GIVEN_UP -> report.done();
        };
        if (report.outcome() == Outcome.NOT_DONE && !there.isEmpty()) {
            lie(What.NOT_DONE_BUT_THERE, report, there.size() + " of " + notes.size() + " are there");
        } else if (there.size() < wanted) {
            What what = report.outcome() == Outcome.DONE ? What.DONE_BUT_NOT_THERE : What.FEWER_THERE_THAN_DONE;
            lie(what, report, there.size() + " of " + notes.size() + " are there");
        }
        for (Note note : notes) {
            if (report.acknowledged().contains(note.mark()) && !isThere(note)) {
                lie(What.DONE_BUT_NOT_THERE, report, note.mark() + " was passed on");
            }
        }
    }

    // ---- one write, one timestamp ----

    private void timestamps(Report report) {
        Set<Long> ofCall = new HashSet<>();
        for (Note note : report.call().notes()) {
            Set<Long> ofNote = new HashSet<>();
            sent.apply(note.mark()).forEach(each -> ofNote.add(each.timestamp()));
            if (isThere(note)) {
                ofNote.add(board(note).times().get(note.mark()));
            }
            if (ofNote.size() > 1) {
                lie(What.TWO_TIMESTAMPS, report, note.mark() + " has " + ofNote);
            }
            ofCall.addAll(ofNote);
        }
        if (ofCall.size() > 1 && !report.call().kind().isEachByItself()) {
            lie(What.TWO_TIMESTAMPS, report, "the call has " + ofCall);
        }
    }

    // ---- nothing begins after a caller has given up ----

    private void begunLate(Report report) {
        if (report.outcome() != Outcome.GIVEN_UP || report.attempts() == ATTEMPTS) {
            return; // or it may have been on its way to the disk already
        }
        int late = 0;
        for (Note note : report.call().notes()) {
            List<Sent> all = sent.apply(note.mark());
            int after = (int)
                    all.stream().filter(each -> each.at() - report.end() > 0).count();
            late += report.call().kind().isParallel() ? Math.max(0, after - 1) : after;
        }
        // What was on its way to the network when the caller gave up.
        int underWay = report.call().kind().isParallel() ? 0 : 1;
        if (late > underWay) {
            lie(What.BEGUN_AFTER_THE_END, report, late + " statement(s) were sent after the end");
        }
    }

    // ---- newer over older ----

    /** One statement that is there. */
    private record Written(Report report, Note note, long time) {

        long begin() {
            return report.begin(note);
        }
    }

    private void order(List<Report> reports) {
        Map<String, List<Written>> byBoard = new HashMap<>();
        for (Report report : reports) {
            for (Note note : report.call().notes()) {
                if (isThere(note)) {
                    long time = board(note).times().get(note.mark());
                    byBoard.computeIfAbsent(note.board(), first -> new ArrayList<>())
                            .add(new Written(report, note, time));
                }
            }
        }
        byBoard.forEach((name, all) -> {
            times(all);
            content(boards.get(name), all);
        });
    }

    /** What began after the end of another is newer. */
    private void times(List<Written> all) {
        for (Written each : all) {
            all.stream()
                    .filter(before -> before.report().end() - each.begin() < 0 && before.time() >= each.time())
                    .findFirst()
                    .ifPresent(before -> lie(
                            What.OLDER_OVER_NEWER,
                            each.report(),
                            "%s at %d began after %s at %d had ended"
                                    .formatted(
                                            each.note().mark(),
                                            each.time(),
                                            before.note().mark(),
                                            before.time())));
        }
    }

    /** The newest is what the board shows, and what is appended under a lease is not lost. */
    private void content(Board board, List<Written> all) {
        Written newest =
                all.stream().max(Comparator.comparingLong(Written::time)).orElseThrow();
        String latest = board.latest() == null ? "" : board.latest();
        boolean isLeased = newest.note().board().contains("l");
        if (board.latestTime() != newest.time()
                || !latest.endsWith(
                        isLeased
                                ? newest.note().after("").latest()
                                : newest.note().mark())) {
            lie(
                    What.OLDER_OVER_NEWER,
                    newest.report(),
                    "%s at %d is the newest, the board shows %s at %d"
                            .formatted(newest.note().mark(), newest.time(), latest, board.latestTime()));
        }
        for (Written each : isLeased ? all : List.<Written>of()) {
            if (each.report().outcome() == Outcome.DONE
                    && !latest.contains(each.note().after("").latest())) {
                lie(What.LOST_UPDATE, each.report(), each.note().mark() + " is not on its board any more");
            }
        }
    }
}
