package io.surewrite.internal.lwt;

import io.surewrite.write.UnknownOutcomeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.OptimisticLockingFailureException;

/**
 * What really became of a row, and what its callers were told: each success is one version, nobody is told of another's that
 * did not win, nothing is written twice, and only who lost an answer may be left without one.
 *
 * <p>The row is never inserted again once it was deleted: versions would come back, and so could a late insert.
 */
final class ConditionLedger {

    private final Consumer<String> violate;

    /** Who made the row what it was, from the first to the last; null for one that was there before. */
    private final List<@Nullable Write> states = new ArrayList<>();

    private final Map<Long, Object> shown = new HashMap<>();
    private final Map<String, Long> lastShown = new HashMap<>();
    private final Map<End, Integer> ends = new HashMap<>();
    private final List<Call> calls = new ArrayList<>();

    /** What a caller is told. */
    enum End {
        DONE,
        /** Another has won. */
        REFUSED,
        NOT_DONE,
        UNKNOWN;

        /** By what a call has ended with, if it has failed. */
        static End of(@Nullable Throwable failure) {
            if (failure == null) {
                return DONE;
            }
            if (failure instanceof UnknownOutcomeException) {
                return UNKNOWN;
            }
            return failure instanceof OptimisticLockingFailureException ? REFUSED : NOT_DONE;
        }
    }

    /** A call, with all its attempts. */
    static final class Call {

        private final String name;
        private final Map<Long, Write> writes = new HashMap<>();
        private boolean lost;
        private @Nullable End end;

        Call(String name) {
            this.name = name;
        }

        /** An answer was lost, or an attempt failed that had written. */
        void lost() {
            lost = true;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** What a call makes of one state of the row, in any of its attempts. */
    static final class Write {

        private final Call call;
        private final long from;
        private long made = -1;
        private boolean told;

        private Write(Call call, long from) {
            this.call = call;
            this.from = from;
        }

        @Override
        public String toString() {
            return "%s of version %d".formatted(call, from);
        }
    }

    /**
     * @param there whether the row is there at the beginning, in its version 0
     */
    ConditionLedger(Consumer<String> violate, boolean there) {
        this.violate = violate;
        if (there) {
            states.add(null);
        }
    }

    Call call(String name) {
        Call call = new Call(name);
        calls.add(call);
        return call;
    }

    /**
     * An attempt of a call begins to write.
     *
     * @param from the version that it has read; -1 if there was no row
     */
    Write write(Call call, long from) {
        Write write = call.writes.computeIfAbsent(from, first -> new Write(call, from));
        write.told = false;
        return write;
    }

    /** {@return the version of the row, -1 before the first} */
    long version() {
        return states.size() - 1L;
    }

    /** A run of it is applied. */
    void applied(Write write) {
        if (write.made >= 0) {
            violate.accept("%s is applied twice".formatted(write));
        }
        if (write.told || write.call.end == End.REFUSED || write.call.end == End.NOT_DONE) {
            violate.accept("%s is applied after its caller was told that it is not".formatted(write));
        }
        write.made = states.size();
        states.add(write);
    }

    /** It is settled for its attempt: whether it is in effect. */
    void settled(Write write, boolean applied) {
        if (applied && write.made != write.from + 1) {
            violate.accept("%s is done, and has made version %d".formatted(write, write.made));
        }
        if (!applied) {
            notApplied(write);
            int next = (int) write.from + 1;
            if (next >= states.size() || states.get(next) == write) {
                violate.accept("%s is refused, and nobody else has won".formatted(write));
            }
        }
    }

    private void notApplied(Write write) {
        write.told = true;
        if (write.made >= 0) {
            violate.accept("%s is told as not done, and has made version %d".formatted(write, write.made));
        }
    }

    /** The caller has an answer. */
    void ended(Call call, End end) {
        call.end = end;
        ends.merge(end, 1, Integer::sum);
        switch (end) {
            case DONE -> {
                if (call.writes.values().stream().noneMatch(write -> write.made >= 0)) {
                    violate.accept("%s is done, and has made nothing".formatted(call));
                }
            }
            case REFUSED, NOT_DONE -> call.writes.values().forEach(this::notApplied);
            case UNKNOWN -> {
                if (!call.lost) {
                    violate.accept("%s is unknown, and has lost nothing".formatted(call));
                }
            }
        }
    }

    /** A reader sees the row. */
    void shown(String reader, long version, Object writer) {
        if (!shown.computeIfAbsent(version, first -> writer).equals(writer)) {
            violate.accept("version %d is shown twice".formatted(version));
        }
        if (lastShown.merge(reader, version, Math::max) > version) {
            violate.accept("%s sees version %d after a later one".formatted(reader, version));
        }
    }

    /** Nothing else will happen. */
    void rest() {
        calls.stream()
                .filter(call -> call.end == null)
                .findFirst()
                .ifPresent(call -> violate.accept("%s never ends".formatted(call)));
    }

    int ends(End end) {
        return ends.getOrDefault(end, 0);
    }
}
