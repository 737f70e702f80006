package io.surewrite.verification.overhead;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/** The CPU time and the memory that a call takes of its caller's thread, without the driver's own threads. */
public final class CallerCost implements InternalProfiler {

    static final String CPU = "caller.cpu";
    static final String ALLOCATION = "caller.alloc";

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private long cpu;
    private long allocated;

    /** JMH makes one by reflection. */
    public CallerCost() {}

    @Override
    public String getDescription() {
        return "CPU time and allocation of the calling threads";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        cpu = sum(THREADS::getThreadCpuTime);
        allocated = sum(THREADS::getThreadAllocatedBytes);
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double calls = Math.max(1, result.getMetadata().getAllOps());
        double cpuTime = (sum(THREADS::getThreadCpuTime) - cpu) / calls;
        double bytes = (sum(THREADS::getThreadAllocatedBytes) - allocated) / calls;
        return List.of(
                new ScalarResult(CPU, cpuTime, "ns/op", AggregationPolicy.AVG),
                new ScalarResult(ALLOCATION, bytes, "B/op", AggregationPolicy.AVG));
    }

    private static long sum(LongUnaryOperator measure) {
        return callers().map(measure).filter(value -> value > 0).sum();
    }

    private static LongStream callers() {
        return Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().contains("jmh-worker"))
                .mapToLong(thread -> thread.getThreadId());
    }
}
