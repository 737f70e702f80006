package io.surewrite.autoconfigure;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks.LeaseInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** Shows the leases of this process, and who holds a name. It only reads: a lease is ended by its holder or by time. */
@Endpoint(id = "leases")
record LeasesEndpoint(Supplier<List<Lease>> own, Function<String, Optional<LeaseInfo>> lookUp) {

    public record Held(String name, long token, Duration remaining) {

        private static Held of(Lease lease) {
            return new Held(lease.name(), lease.token(), lease.remaining());
        }
    }

    @ReadOperation
    public List<Held> held() {
        return own.get().stream().map(Held::of).toList();
    }

    @ReadOperation
    public @Nullable LeaseInfo inspect(@Selector String name) {
        return lookUp.apply(name).orElse(null);
    }
}
