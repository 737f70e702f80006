package io.surewrite.simulation;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** How the contract of a port waits: the server takes real time, the simulated one lets events happen. */
public interface Patience {

    /** For a real server. */
    Patience REAL = new Patience() {
        @Override
        public <T> T await(CompletionStage<T> answer) {
            return answer.toCompletableFuture().join();
        }

        @Override
        public void until(BooleanSupplier condition) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(100))
                    .until(condition::getAsBoolean);
        }
    };

    /** {@return what the stage becomes} */
    <T> T await(CompletionStage<T> answer);

    /** Lets time pass until something is so. */
    void until(BooleanSupplier condition);

    /** For a simulated server. */
    static Patience in(World world) {
        return new Patience() {
            @Override
            public <T> T await(CompletionStage<T> answer) {
                world.runUntil(() -> answer.toCompletableFuture().isDone());
                return answer.toCompletableFuture().join();
            }

            @Override
            public void until(BooleanSupplier condition) {
                long limit = world.now() + 60 * World.SECOND;
                while (!condition.getAsBoolean()) {
                    if (world.now() > limit) {
                        world.violate("it never comes true");
                    }
                    long next = world.now() + 100 * World.MILLIS;
                    world.after(100 * World.MILLIS, null, () -> {});
                    world.runUntil(() -> world.now() >= next);
                }
            }
        };
    }
}
