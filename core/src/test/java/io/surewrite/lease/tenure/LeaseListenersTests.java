package io.surewrite.lease.tenure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseListener;
import io.surewrite.lease.LeaseRequest;
import io.surewrite.lease.LossReason;
import io.surewrite.lease.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Everybody is told, whatever another does with it. */
class LeaseListenersTests {

    private static final Lease LEASE = new ScriptedLeases().acquired(LeaseRequest.of("item:1"));

    private final List<String> heard = new ArrayList<>();

    /** Hears everything and throws. */
    private final class Listener implements LeaseListener {

        private void hear(Object... what) {
            heard.add(List.of(what).toString());
            throw new IllegalStateException("a listener that fails");
        }

        @Override
        public Consumer<String> asked(LeaseRequest request) {
            heard.add("[asked]");
            return outcome -> hear("ended", outcome);
        }

        @Override
        public void acquired(Lease lease, Duration waited, boolean handedOver) {
            hear("acquired", lease.name(), waited, handedOver);
        }

        @Override
        public void notAcquired(String name, Duration waited, @Nullable RuntimeException trouble) {
            hear("not acquired", name, waited, trouble == null ? "refused" : trouble.getMessage());
        }

        @Override
        public void renewed(String name, boolean confirmed) {
            hear("renewed", name, confirmed);
        }

        @Override
        public void lost(Lease lease, LossReason reason, Duration held) {
            hear("lost", lease.name(), reason, held);
        }

        @Override
        public void released(Lease lease, ReleaseOutcome outcome, Duration held) {
            hear("released", lease.name(), outcome, held);
        }
    }

    @Test
    void hearAll() {
        LeaseListener all = LeaseListener.all(List.of(new Listener(), new Listener()));
        Duration second = Duration.ofSeconds(1);
        all.asked(LeaseRequest.of("item:1")).accept("refused");
        expect("[asked]", "[asked]", "[ended, refused]", "[ended, refused]");
        all.acquired(LEASE, second, true);
        expect("[acquired, item:1, PT1S, true]", "[acquired, item:1, PT1S, true]");
        all.notAcquired("item:1", second, new IllegalStateException("no answer"));
        expect("[not acquired, item:1, PT1S, no answer]", "[not acquired, item:1, PT1S, no answer]");
        all.renewed("item:1", true);
        expect("[renewed, item:1, true]", "[renewed, item:1, true]");
        all.lost(LEASE, LossReason.GONE, second);
        expect("[lost, item:1, GONE, PT1S]", "[lost, item:1, GONE, PT1S]");
        all.released(LEASE, ReleaseOutcome.RELEASED, second);
        expect("[released, item:1, RELEASED, PT1S]", "[released, item:1, RELEASED, PT1S]");
    }

    private void expect(String... events) {
        assertThat(heard).containsExactly(events);
        heard.clear();
    }
}
