package io.surewrite.alledeals.live;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Tag;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;

/** A page that draws Surewrite's meters while it is open. It is small, and loads nothing from elsewhere. */
@Component
@WebEndpoint(id = "live")
class LiveEndpoint {

    private static final String WATCHED = "surewrite.";

    private static final Map<String, MimeType> FILES = Map.of(
            "live.js", MimeType.valueOf("text/javascript;charset=UTF-8"),
            "live.css", MimeType.valueOf("text/css;charset=UTF-8"));

    private final MeterRegistry meters;
    private final HealthEndpoint health;

    LiveEndpoint(MeterRegistry meters, HealthEndpoint health) {
        this.meters = meters;
        this.health = health;
    }

    @ReadOperation
    WebEndpointResponse<Object> page() {
        return file("live.html", new MimeType(MimeTypeUtils.TEXT_HTML, StandardCharsets.UTF_8));
    }

    @ReadOperation
    WebEndpointResponse<Object> part(@Selector String name) {
        MimeType type = FILES.get(name);
        if (type != null) {
            return file(name, type);
        }
        return name.equals("numbers")
                ? new WebEndpointResponse<>(numbers(), MimeTypeUtils.APPLICATION_JSON)
                : new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
    }

    private static WebEndpointResponse<Object> file(String name, MimeType type) {
        return new WebEndpointResponse<>(new ClassPathResource("live/" + name), type);
    }

    private Numbers numbers() {
        Map<String, Series> series = new TreeMap<>();
        meters.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith(WATCHED))
                .forEach(meter -> {
                    Series one = Series.of(meter);
                    if (one != null) {
                        series.put(title(meter.getId()), one);
                    }
                });
        HealthDescriptor now = health.health();
        return new Numbers(now.getStatus().getCode(), series);
    }

    private static String title(Meter.Id id) {
        String tags = StreamSupport.stream(id.getTagsAsIterable().spliterator(), false)
                .map(Tag::getValue)
                .filter(value -> !value.equals("none"))
                .collect(Collectors.joining(", "));
        return tags.isEmpty() ? id.getName() : id.getName() + ": " + tags;
    }

    /** What there is to draw. */
    record Numbers(String health, Map<String, Series> series) {}

    /** A number at this moment. */
    record Series(double value, boolean grows, @Nullable String unit) {

        /** How many there were, if the meter counts or times something; otherwise what it stands at. Null if it has no number. */
        static @Nullable Series of(Meter meter) {
            for (var measurement : meter.measure()) {
                boolean counts = measurement.getStatistic() == Statistic.COUNT;
                if (counts || measurement.getStatistic() == Statistic.VALUE) {
                    double value = measurement.getValue();
                    return Double.isFinite(value)
                            ? new Series(
                                    value, counts, counts ? null : meter.getId().getBaseUnit())
                            : null;
                }
            }
            return null;
        }
    }
}
