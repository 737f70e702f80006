package io.surewrite.verification.faults;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.surewrite.alledeals.AlleDealsApplication;
import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.item.ItemService;
import io.surewrite.alledeals.purchase.PurchaseService;
import io.surewrite.alledeals.user.User;
import io.surewrite.alledeals.user.UserService;
import io.surewrite.alledeals.web.ProblemException;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataAccessException;

/**
 * An instance of the sample shop in this process, on a cluster that others may use too. It is called as its controllers
 * call it, without HTTP. Thread-safe.
 */
public final class ShopInstance implements AutoCloseable {

    /** The tag of all items. */
    public static final String TAG = "hot";

    private static final URI SOLD_OUT = URI.create("urn:alledeals:problem:sold-out");

    private final ConfigurableApplicationContext context;
    private final UserService users;
    private final ItemService items;
    private final PurchaseService purchases;

    /** What a buyer hears. */
    public enum Answer {
        /** The units are the buyer's. */
        BOUGHT,
        /** Not enough is left. */
        SOLD_OUT,
        /** Nobody knows; the same again settles it. */
        UNKNOWN
    }

    private ShopInstance(ConfigurableApplicationContext context) {
        this.context = context;
        this.users = context.getBean(UserService.class);
        this.items = context.getBean(ItemService.class);
        this.purchases = context.getBean(PurchaseService.class);
    }

    /**
     * Opens the shop.
     *
     * @param connection the cluster
     * @param properties of the application
     * @return the shop
     */
    public static ShopInstance open(Connection connection, String... properties) {
        return open(connection, List.of(), properties);
    }

    static ShopInstance open(Connection connection, List<BeanPostProcessor> between, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "server.port=0",
                "server.address=127.0.0.1",
                "spring.cassandra.contact-points=" + connection.contactPoints(),
                "spring.cassandra.local-datacenter=" + connection.datacenter(),
                "spring.cassandra.keyspace-name=" + connection.keyspace(),
                "spring.cassandra.request.timeout=5s",
                "spring.main.banner-mode=off",
                "logging.level.root=error",
                "alledeals.demo-data=false"));
        all.addAll(List.of(properties));
        return new ShopInstance(new SpringApplicationBuilder(AlleDealsApplication.class)
                .logStartupInfo(false)
                .initializers(created -> between.forEach(created.getBeanFactory()::addBeanPostProcessor))
                .properties(all.toArray(String[]::new))
                // Each has its own, which goes over the one of the application.
                .run("--surewrite.backlog.directory=target/backlog/${random.uuid}"));
    }

    /**
     * A part of the shop.
     *
     * @param type its type
     * @param <T> its type
     * @return the bean
     */
    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /**
     * Registers a user.
     *
     * @param id the user
     * @param login the login
     */
    public void register(UUID id, String login) {
        users.register(new User(id, login, login + "@example.org", 30, null, null, null));
    }

    /**
     * Lists an item; the same again is the same item.
     *
     * @param id a timeuuid
     * @param seller a registered user
     * @param units how many
     */
    public void list(UUID id, UUID seller, int units) {
        Instant start = Instant.ofEpochMilli(Uuids.unixTimestamp(id)).truncatedTo(ChronoUnit.MILLIS);
        items.list(new Item(
                id,
                seller,
                "Hot item",
                "Everybody wants it.",
                new BigDecimal("1.00"),
                units,
                units,
                start,
                start.plus(Duration.ofDays(1)),
                Set.of(TAG),
                false));
    }

    /**
     * Buys once.
     *
     * @param purchase a timeuuid
     * @param item what
     * @param buyer a registered user
     * @param quantity how many
     * @return what the buyer hears
     */
    public Answer buy(UUID purchase, UUID item, UUID buyer, int quantity) {
        try {
            purchases.purchase(purchase, item, buyer, quantity);
            return Answer.BOUGHT;
        } catch (ProblemException refusal) {
            if (!SOLD_OUT.equals(refusal.getBody().getType())) {
                throw refusal;
            }
            return Answer.SOLD_OUT;
        } catch (DataAccessException nobodyKnows) {
            return Answer.UNKNOWN;
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
