package com.example.features;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import io.surewrite.lease.LeaseAssert;
import io.surewrite.lease.WithLease;
import io.surewrite.retry.Idempotent;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.stereotype.Component;

@Component
public class Steps {

    private final CassandraOperations template;

    private final List<Long> times = new ArrayList<>();

    Steps(CassandraOperations template) {
        this.template = template;
    }

    public List<Long> times() {
        return times;
    }

    /** Fails after the first write, so that there is a second. */
    @Idempotent
    public void writeTwice(UUID id) {
        template.getCqlOperations().execute("UPDATE person SET email = 'twice' WHERE id = ?", id);
        times.add(template.getCqlOperations()
                .queryForObject("SELECT WRITETIME(email) FROM person WHERE id = ?", Long.class, id));
        if (times.size() == 1) {
            throw new DriverTimeoutException("the answer was lost");
        }
    }

    @WithLease(key = "#name")
    public long tokenOf(String name) {
        return LeaseAssert.assertHeld(name).token();
    }
}
