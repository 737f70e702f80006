package io.surewrite.alledeals.web;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;

/**
 * Lets callers who want the same done, each with a thing of its own, do it together: while some are at it, those who come
 * wait, and go in one group then. So the work for a group begins after all of it have come. Nobody waits when nothing is
 * under way, and the more come, the larger the groups.
 */
public final class Gathering<K, T> {

    private final int groupsAtOnce;
    private final int largestGroup;
    private final BiConsumer<K, List<T>> work;
    private final Map<K, Lane<T>> lanes = new HashMap<>();

    public Gathering(int groupsAtOnce, int largestGroup, BiConsumer<K, List<T>> work) {
        this.groupsAtOnce = groupsAtOnce;
        this.largestGroup = largestGroup;
        this.work = work;
    }

    /** Returns when the work is done for a group with this thing in it. */
    public void run(K key, T thing) {
        Waiting<T> mine = new Waiting<>(thing, new CompletableFuture<>());
        if (goesAtOnce(key, mine) || mine.turn() == Turn.LEAD) {
            lead(key, mine);
        }
    }

    private synchronized boolean goesAtOnce(K key, Waiting<T> mine) {
        Lane<T> lane = lanes.computeIfAbsent(key, first -> new Lane<>());
        if (lane.underWay < groupsAtOnce) {
            lane.underWay++;
            return true;
        }
        return !lane.waiting.add(mine);
    }

    private void lead(K key, Waiting<T> mine) {
        List<Waiting<T>> group = groupOf(key, mine);
        try {
            work.accept(key, group.stream().map(Waiting::thing).toList());
            group.forEach(member -> member.told().complete(Turn.DONE));
        } catch (RuntimeException | Error failure) {
            group.forEach(member -> member.told().completeExceptionally(failure));
            throw failure;
        } finally {
            next(key);
        }
    }

    private synchronized List<Waiting<T>> groupOf(K key, Waiting<T> mine) {
        Queue<Waiting<T>> waiting = lanes.getOrDefault(key, new Lane<>()).waiting;
        List<Waiting<T>> group = new ArrayList<>();
        group.add(mine);
        while (group.size() < largestGroup && !waiting.isEmpty()) {
            group.add(waiting.remove());
        }
        return group;
    }

    /** The first who waits leads the next group. */
    private synchronized void next(K key) {
        lanes.computeIfPresent(key, (same, lane) -> {
            Waiting<T> next = lane.waiting.poll();
            if (next != null) {
                next.told().complete(Turn.LEAD);
                return lane;
            }
            return --lane.underWay == 0 ? null : lane;
        });
    }

    private enum Turn {
        LEAD,
        DONE
    }

    /** Who waits with one key; changes under the lock of the gathering. */
    private static final class Lane<T> {

        private final Queue<Waiting<T>> waiting = new ArrayDeque<>();
        private int underWay;
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
