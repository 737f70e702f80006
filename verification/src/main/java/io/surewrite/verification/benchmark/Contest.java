package io.surewrite.verification.benchmark;

import io.surewrite.verification.benchmark.ThreadCosts.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Several ways of doing something, by one thread, each once in a round and in an order of its own: as in a server, where none
 * finds its own code and data in the caches, and so that whatever else the machine does hits all of them alike. The medians of
 * five blocks of rounds tell how far a result is to be believed.
 */
final class Contest {

    private static final int BLOCKS = 5;
    private static final int COLD_ROUNDS = 1_000;

    /** After a call: threads that have answered go back to sleep, and what they took is the call's. */
    private static final long PAUSE_NANOS = 50_000;

    private final RequestTimes requests;
    private final Map<String, Throughput.Work> ways = new LinkedHashMap<>();
    private final List<Map<String, Taken>> quiet = new ArrayList<>();
    private final List<Map<String, Taken>> loaded = new ArrayList<>();
    private final List<Map<String, Taken>> cold = new ArrayList<>();

    Contest() {
        this(new RequestTimes());
    }

    /** One of requests that are told to a tracker. */
    Contest(RequestTimes requests) {
        this.requests = requests;
    }

    /** What a way took in a block. */
    static final class Taken {

        private final Times total = new Times();
        private final Times rest = new Times();
        private final List<Times> requests = new ArrayList<>();
        private Reading costs = new Reading(0, 0, 0);
        private int calls;

        double total() {
            return total.percentileMillis(0.5);
        }

        /** {@return the processor time of caller and driver for a call, in microseconds} */
        double cpu() {
            return costs.cpuNanos() / 1e3 / calls;
        }

        /** {@return what caller and driver allocate for a call} */
        double bytes() {
            return (double) costs.bytes() / calls;
        }

        /** {@return how often one of the threads was given a processor for a call} */
        double switches() {
            return (double) costs.switches() / calls;
        }

        /** {@return the time of one of the requests; 0 where most calls have fewer} */
        double request(int number) {
            return number < requests.size() && 2 * requests.get(number).count() > calls
                    ? requests.get(number).percentileMillis(0.5)
                    : 0;
        }

        private void once(Throughput.Work work, RequestTimes tracker, ThreadCosts caller, ThreadCosts drivers) {
            tracker.take();
            Reading driversBefore = drivers.now();
            Reading before = caller.now();
            long took = total.time(work);
            Reading after = caller.now();
            LockSupport.parkNanos(PAUSE_NANOS);
            costs = costs.plus(before, after).plus(driversBefore, drivers.now());
            calls++;
            long asked = 0;
            int number = 0;
            for (long nanos : tracker.take()) {
                asked += nanos;
                if (number == requests.size()) {
                    requests.add(new Times());
                }
                requests.get(number++).record(nanos);
            }
            rest.record(Math.max(0, took - asked));
        }
    }

    Contest with(String name, Throughput.Work work) {
        ways.put(name, work);
        return this;
    }

    /** Runs the second thousand calls of each way in a process that has just started. */
    Contest runCold() throws Exception {
        Random random = new Random(1);
        block(COLD_ROUNDS, Long.MAX_VALUE, random);
        cold.add(block(COLD_ROUNDS, Long.MAX_VALUE, random));
        return this;
    }

    /** Runs all ways for so long on a machine that does nothing else. */
    Contest run(Duration howLong) throws Exception {
        return run(howLong, false);
    }

    /**
     * Runs all ways for so long, after as long to warm up: that with many threads, for one alone would take too long to
     * run each way so often that the compilers of client and server have done with it.
     */
    Contest run(Duration howLong, boolean besideLoad) throws Exception {
        for (Throughput.Work way : ways.values()) {
            Throughput.perSecond(howLong.dividedBy(ways.size()), List.of(way));
        }
        long nanos = howLong.toNanos() / BLOCKS / (besideLoad ? 2 : 1);
        Random random = new Random(1);
        for (int i = 0; i < BLOCKS; i++) {
            quiet.add(block(Integer.MAX_VALUE, nanos, random));
            if (besideLoad) {
                Thread busy = new Thread(() -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                });
                busy.start();
                loaded.add(block(Integer.MAX_VALUE, nanos, random));
                busy.interrupt();
            }
        }
        return this;
    }

    private Map<String, Taken> block(int rounds, long nanos, Random random) throws Exception {
        ThreadCosts caller = ThreadCosts.ofThisThread();
        ThreadCosts drivers = ThreadCosts.ofDrivers();
        Map<String, Taken> block = new LinkedHashMap<>();
        List<String> order = new ArrayList<>(ways.keySet());
        long began = System.nanoTime();
        for (int round = 0; round < rounds && System.nanoTime() - began < nanos; round++) {
            Collections.shuffle(order, random);
            order.forEach(name ->
                    block.computeIfAbsent(name, first -> new Taken()).once(way(name), requests, caller, drivers));
        }
        return block;
    }

    private static double[] all(List<Map<String, Taken>> blocks, String name, ToDoubleFunction<Taken> what) {
        return blocks.stream()
                .mapToDouble(block -> what.applyAsDouble(Objects.requireNonNull(block.get(name), name)))
                .toArray();
    }

    /** {@return what a way takes on the quiet machine, block by block} */
    double[] of(String name, ToDoubleFunction<Taken> what) {
        return all(quiet, name, what);
    }

    /** {@return the same beside the load} */
    double[] besideLoad(String name, ToDoubleFunction<Taken> what) {
        return all(loaded, name, what);
    }

    /** {@return the same of the cold process} */
    double[] cold(String name, ToDoubleFunction<Taken> what) {
        return all(cold, name, what);
    }

    Set<String> names() {
        return ways.keySet();
    }

    /** {@return what one of the ways does} */
    Throughput.Work way(String name) {
        return Objects.requireNonNull(ways.get(name), name);
    }

    /** {@return the median of a way, in milliseconds} */
    double median(String name) {
        return Results.median(of(name, Taken::total));
    }

    /** What a call takes in all, its requests and the rest, of each way: medians. */
    void printTo(Results results) {
        results.print("| µs | total | p90 | requests | rest | CPU | switches | allocation, B |");
        results.print("|---|---|---|---|---|---|---|---|");
        ways.keySet().forEach(name -> results.print(row(name, "", quiet)));
        ways.keySet().forEach(name -> results.print(row(name, ", beside a busy thread", loaded)));
        ways.keySet().forEach(name -> results.print(row(name, ", cold", cold)));
    }

    private static String row(String name, String where, List<Map<String, Taken>> blocks) {
        ToDoubleFunction<ToDoubleFunction<Taken>> median = what -> Results.median(all(blocks, name, what));
        String requests = IntStream.range(0, 4)
                .mapToDouble(number -> median.applyAsDouble(taken -> taken.request(number)))
                .filter(millis -> millis > 0)
                .mapToObj(millis -> "%.0f".formatted(1e3 * millis))
                .collect(Collectors.joining(" + "));
        return String.format(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %s | %.0f | %.1f | %.1f | %,.0f |",
                name + where,
                1e3 * median.applyAsDouble(Taken::total),
                1e3 * median.applyAsDouble(taken -> taken.total.percentileMillis(0.9)),
                requests,
                1e3 * median.applyAsDouble(taken -> taken.rest.percentileMillis(0.5)),
                median.applyAsDouble(Taken::cpu),
                median.applyAsDouble(Taken::switches),
                median.applyAsDouble(Taken::bytes));
    }

    /** Puts the medians of two ways beside each other. */
    void compare(Results results, String ours, String theirs) {
        results.ratio(ours + ", p50", "ms", median(ours), theirs, median(theirs));
    }

    /** The same with a goal. */
    void compare(Results results, String ours, String theirs, double atMost) {
        results.atMost(atMost, ours + ", p50", "ms", of(ours, Taken::total), theirs, of(theirs, Taken::total));
    }
}
