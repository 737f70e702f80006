package io.surewrite.calls;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** One call, made up by the seed and its number. */
record Call(int number, Kind kind, List<Note> notes, Duration patience) {

    private static final int PLAIN_BOARDS = 30;
    private static final int LEASED_BOARDS = 6;
    private static final double LONGEST_PATIENCE = 1_000_000;

    static Call of(long seed, int run, int number, List<Kind> kinds) {
        SplittableRandom random = new SplittableRandom(seed + 0x9E3779B97F4A7C15L * number);
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        int statements = kind.fewest() + random.nextInt(kind.most() - kind.fewest() + 1);
        Set<String> boards = new LinkedHashSet<>();
        if (kind.isLeased()) {
            boards.add("b%02d-l%02d".formatted(run, random.nextInt(LEASED_BOARDS)));
        }
        while (boards.size() < statements) {
            boards.add("b%02d-p%02d".formatted(run, random.nextInt(PLAIN_BOARDS)));
        }
        List<Note> notes = new ArrayList<>();
        for (String board : boards) {
            notes.add(Note.on(board, "m%02d-%06d.%d".formatted(run, number, notes.size())));
        }
        // As often between 1 and 10 ms as between 100 ms and a second.
        Duration patience = Duration.ofNanos((long) (1000 * Math.pow(LONGEST_PATIENCE, 0.5 + random.nextDouble() / 2)));
        return new Call(number, kind, List.copyOf(notes), patience);
    }

    /** Whether leases on the board are short. */
    static boolean isShort(String board) {
        return board.charAt(board.length() - 1) % 2 == 0;
    }

    Note first() {
        return notes.get(0);
    }

    List<Note> rest() {
        return notes.subList(1, notes.size());
    }
}
