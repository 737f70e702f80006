package io.surewrite.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A client process: it has a monotonic clock that may run a little fast or slow, and it may sleep or die. */
public final class SimProcess {

    private final String name;
    private final World world;
    private final long offset;
    private final double rate;
    private boolean crashed;
    private long sleepsUntil;
    private long wallJumped;
    private boolean clockSet;
    private long requestsLeft;
    private Runnable atRequest = () -> {};
    private final List<String> inFlight = new ArrayList<>();
    private Predicate<String> company = step -> false;

    /**
     * @param driftPpm by how many millionths its clock may be fast or slow
     */
    public SimProcess(String name, World world, long driftPpm) {
        this.name = name;
        this.world = world;
        this.offset = world.between(-World.SECOND, World.SECOND);
        this.rate = 1 + world.between(-driftPpm, driftPpm) / 1e6;
    }

    public String name() {
        return name;
    }

    /** {@return what its monotonic clock shows} */
    public long nanos() {
        return offset + (long) (world.now() * rate);
    }

    /** {@return the time of day as the process sees it, in nanoseconds since the beginning} It is right until it jumps. */
    public long wallNanos() {
        return world.now() + wallJumped;
    }

    /** Somebody sets its clock. */
    public void setClock(long by) {
        note(() -> "its clock jumps by %.3f s".formatted((double) by / World.SECOND));
        wallJumped += by;
        clockSet = true;
    }

    /** {@return whether somebody has set its clock, and maybe back} */
    public boolean isClockSet() {
        return clockSet;
    }

    /** Lets the process do something when its own clock has moved on by so much. */
    public World.Event after(long nanos, Runnable action) {
        return world.after((long) Math.ceil(nanos / rate), this, action);
    }

    public void note(java.util.function.Supplier<String> what) {
        world.note(name, what);
    }

    /** Stops it for good. What it has sent stays on its way. */
    public void crash() {
        note(() -> "CRASHES");
        crashed = true;
        Steps steps = world.steps();
        if (steps != null) {
            steps.crashed(this);
        }
    }

    /** {@return the steps that are not answered yet, if they are counted} */
    List<String> inFlight() {
        return inFlight;
    }

    /** Says of a step, as text, whether another operation is at work on its row. */
    public void company(Predicate<String> inCompany) {
        company = inCompany;
    }

    boolean hasCompany(String step) {
        return company.test(step);
    }

    /** Has something happen right after it has sent so many requests. */
    public void atRequest(long count, Runnable action) {
        requestsLeft = count;
        atRequest = action;
    }

    void sent() {
        if (--requestsLeft == 0) {
            atRequest.run();
        }
    }

    public boolean isCrashed() {
        return crashed;
    }

    /** Stops it for a while: SIGSTOP, a long collection of garbage. Its clock goes on. */
    public void sleep(long nanos) {
        note(() -> "stands still for %.3f s".formatted((double) nanos / World.SECOND));
        sleepsUntil = Math.max(sleepsUntil, world.now() + nanos);
    }

    long sleepsUntil() {
        return sleepsUntil;
    }
}
