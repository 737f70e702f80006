package io.surewrite.alledeals;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.springframework.context.annotation.Primary;
import org.springframework.stereotype.Component;

/** The system's clock, moved by what a test asks for. */
@Component
@Primary
public class TravellingClock extends Clock {

    private volatile Duration ahead = Duration.ZERO;

    public void travel(Duration duration) {
        ahead = ahead.plus(duration);
    }

    public void reset() {
        ahead = Duration.ZERO;
    }

    @Override
    public Instant instant() {
        return Instant.now().plus(ahead);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
