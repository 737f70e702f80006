package io.surewrite.alledeals.item;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.ShopTest;
import io.surewrite.alledeals.begun.Reconciler;
import io.surewrite.backlog.BacklogListener;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.client.RestTestClient.BodyContentSpec;

/** Requests to list an item, once the database is back. */
class ListingRequestsIntegrationTests extends ShopTest {

    @Autowired
    private KeptRequests requests;

    @Autowired
    private ItemService items;

    @Autowired
    private Reconciler reconciler;

    @Autowired
    private List<BacklogListener> listeners;

    @Test
    void thatComeLateAreLookedForThroughTheWholeDay() {
        reconciler.reconcile(); // the first round is thorough anyway
        Item wanted = wanted(registered("seller"), Duration.ofHours(5));
        requests.keep(wanted);
        reconciler.reconcile();
        assertThat(items.find(wanted.id())).isEmpty();
        progress(wanted).jsonPath("$.state").isEqualTo("ARRIVED");

        listeners.forEach(listener -> listener.replayed("any", Duration.ofHours(5)));
        reconciler.reconcile();

        assertThat(items.find(wanted.id())).contains(wanted);
    }

    private BodyContentSpec progress(Item wanted) {
        return get("/api" + ListingRequest.addressOf(wanted))
                .expectStatus()
                .isOk()
                .expectBody();
    }

    private Item wanted(UUID seller, Duration ago) {
        Instant then = clock.instant().truncatedTo(ChronoUnit.MILLIS).minus(ago);
        return new Item(
                Uuids.timeBased(),
                seller,
                "Brass lamp",
                "Works.",
                new BigDecimal("49.90"),
                10,
                10,
                then,
                then.plus(Duration.ofDays(7)),
                Set.of("brass"),
                false);
    }
}
