package io.surewrite.alledeals.purchase;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * Lets callers who want the same done, each with a thing of its own, do it together: while some are at it, those who come
 * wait, and go in one group then. Nobody waits when nothing is under way, and the more come, the larger the groups.
 *
 * @param <T> what each brings
 */
final class Gathering<T> {

    private final int groupsAtOnce;
    private final int largestGroup;
    private final Consumer<List<T>> work;
    private final Queue<Waiting<T>> waiting = new ArrayDeque<>();
    private int underWay;

    /**
     * @param groupsAtOnce how many groups may be under way at the same time
     * @param largestGroup how many go in one group at most
     * @param work what is done for a group, by the thread of one of them
     */
    Gathering(int groupsAtOnce, int largestGroup, Consumer<List<T>> work) {
        this.groupsAtOnce = groupsAtOnce;
        this.largestGroup = largestGroup;
        this.work = work;
    }

    /**
     * Returns when the work is done for a group with this thing in it.
     *
     * @param thing what the caller brings
     * @throws RuntimeException what the work throws, for all of the group
     */
    void run(T thing) {
        Waiting<T> mine = new Waiting<>(thing, new CompletableFuture<>());
        if (goesAtOnce(mine) || mine.turn() == Turn.LEAD) {
            lead(mine);
        }
    }

    private synchronized boolean goesAtOnce(Waiting<T> mine) {
        if (underWay < groupsAtOnce) {
            underWay++;
            return true;
        }
        return !waiting.add(mine);
    }

    private void lead(Waiting<T> mine) {
        List<Waiting<T>> group = groupOf(mine);
        try {
            work.accept(group.stream().map(Waiting::thing).toList());
            group.forEach(member -> member.told().complete(Turn.DONE));
        } catch (RuntimeException | Error failure) {
            group.forEach(member -> member.told().completeExceptionally(failure));
            throw failure;
        } finally {
            next();
        }
    }

    private synchronized List<Waiting<T>> groupOf(Waiting<T> mine) {
        List<Waiting<T>> group = new ArrayList<>();
        group.add(mine);
        while (group.size() < largestGroup && !waiting.isEmpty()) {
            group.add(waiting.remove());
        }
        return group;
    }

    /** The first who waits leads the next group. */
    private synchronized void next() {
        Waiting<T> next = waiting.poll();
        if (next == null) {
            underWay--;
        } else {
            next.told().complete(Turn.LEAD);
        }
    }

    private enum Turn {
        LEAD,
        DONE
    }

    /** Somebody who waits, to be told that it is done or to lead. */
    private record Waiting<T>(T thing, CompletableFuture<Turn> told) {

        Turn turn() {
            try {
                return told.join();
            } catch (CompletionException failure) {
                if (failure.getCause() instanceof RuntimeException cause) {
                    throw cause;
                }
                throw failure;
            }
        }
    }
}
