package io.surewrite.verification.hotitem;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** The sample shop, over its REST interface: saved, bound, completed and shown in all listings when it answers. */
final class ShopCounter implements Counter {

    private static final UUID SELLER = new UUID(0x4000L, 0x8000_0000_0000_0000L);

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI shop;

    ShopCounter(URI shop, int buyers) {
        this.shop = shop;
        register(SELLER, "seller");
        for (int buyer = 0; buyer < buyers; buyer++) {
            register(user(buyer), "buyer" + buyer);
        }
    }

    @Override
    public UUID list(int units) {
        UUID item = Uuids.timeBased();
        expect(201, put("/api/items/" + item, """
                        {"sellerId": "%s", "name": "Hot item", "description": "Hot.", "unitPrice": 1.00,
                         "offeredUnits": %d, "endDate": "%s", "tags": ["hot"]}
                        """.formatted(
                        SELLER, units, Instant.now().plus(Duration.ofDays(1)))));
        return item;
    }

    @Override
    public boolean buy(UUID item, int buyer) {
        int status = put(
                "/api/items/%s/purchases/%s".formatted(item, Uuids.timeBased()),
                "{\"buyerId\": \"%s\", \"quantity\": 1}".formatted(user(buyer)));
        if (status != 201 && status != 409) {
            throw new IllegalStateException("The shop answered " + status);
        }
        return status == 201;
    }

    private void register(UUID id, String login) {
        expect(
                201,
                put(
                        "/api/users/" + id,
                        "{\"login\": \"%s\", \"email\": \"%s@example.org\", \"age\": 30}".formatted(login, login)));
    }

    private static UUID user(int number) {
        return new UUID(0x4000L, 0x8000_0000_0000_0001L + number);
    }

    private int put(String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(shop.resolve(path))
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(body))
                .build();
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            throw new IllegalStateException("The shop does not answer", e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("Interrupted while the shop answers", e);
        }
    }

    private static void expect(int wanted, int status) {
        if (status != wanted) {
            throw new IllegalStateException("The shop answered %d instead of %d".formatted(status, wanted));
        }
    }
}
