package io.surewrite.autoconfigure;

import io.surewrite.lease.Lease;
import io.surewrite.lease.LeaseLocks;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * What this application holds, without making its {@link LeaseLocks}: whoever only looks must not need their table.
 *
 * @param beans of the application
 */
record LeasesInUse(ConfigurableListableBeanFactory beans) {

    List<Lease> held() {
        return Stream.of(beans.getBeanNamesForType(LeaseLocks.class, false, false))
                .map(beans::getSingleton)
                .flatMap(made -> made instanceof LeaseLocks locks ? locks.held().stream() : Stream.empty())
                .toList();
    }
}
