package io.surewrite.alledeals.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.TravellingClock;
import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.item.ItemService;
import io.surewrite.alledeals.user.User;
import io.surewrite.alledeals.user.UserService;
import io.surewrite.alledeals.web.TimeIds;
import io.surewrite.testsupport.LongLane;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.test.web.servlet.client.RestTestClient;
import tools.jackson.databind.json.JsonMapper;

@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = "surewrite.backlog.directory=target/backlog/${random.uuid}")
@Import(TravellingClock.class)
@ExtendWith(OutputCaptureExtension.class)
@LongLane
class DemoShopIntegrationTests {

    @Autowired
    private DemoShop shop;

    @Autowired
    private ItemService items;

    @Autowired
    private UserService users;

    @Autowired
    private CassandraOperations cassandra;

    @Autowired
    private JsonMapper json;

    @Autowired
    private TravellingClock clock;

    @LocalServerPort
    private int port;

    /** The journal of users takes no time that has not come yet. */
    @AfterEach
    void comeBack() {
        clock.reset();
    }

    @Test
    void fillsAnEmptyShopOnTheEmbeddedServerAndNothingTwice(CapturedOutput output) {
        assertThat(cassandra.count(User.class)).isEqualTo(6);
        assertThat(cassandra.count(Item.class)).isEqualTo(24);
        List<Item> before = cassandra.select("SELECT * FROM cass_master_item", Item.class);
        clock.travel(Duration.ofDays(3));

        shop.run(new DefaultApplicationArguments());

        assertThat(cassandra.count(User.class)).isEqualTo(6);
        assertThat(cassandra.select("SELECT * FROM cass_master_item", Item.class))
                .isEqualTo(before);
        assertThat(output.getAll()).containsOnlyOnce("items added");
    }

    @Test
    void leavesAUserAloneWhoHasChanged() {
        User demo = users.get(shop.ids().get(0));
        User moved = new User(demo.id(), demo.login(), demo.email(), 99, demo.fullName(), "Elsewhere", demo.about());
        users.register(moved);

        shop.run(new DefaultApplicationArguments());

        assertThat(users.get(demo.id())).isEqualTo(moved);
        users.register(demo);
    }

    @Test
    void offersItsUsersAsShoppers() {
        RestTestClient.bindToServer()
                .baseUrl("http://localhost:" + port)
                .build()
                .get()
                .uri("/shopper")
                .exchange()
                .expectBody(String.class)
                .value(page -> assertThat(page).contains("Marta Nowak", "Tomasz Zieliński", "Shop as"));
    }

    @Test
    void namesItemsThatKeepTheRulesOfTheShop() {
        List<Item> all = DemoData.read(json).allItems(clock.instant());

        assertThat(all)
                .extracting(item -> TimeIds.instantOf(item.id()))
                .allSatisfy(listed -> assertThat(listed)
                        .isBeforeOrEqualTo(clock.instant())
                        .isAfter(clock.instant().minus(Duration.ofDays(32))));
        assertThat(all).hasSize(24).extracting(Item::id).doesNotHaveDuplicates().allMatch(id -> id.version() == 1);
        assertThat(all).allSatisfy(item -> {
            assertThat(items.find(item.id())).isPresent();
            assertThat(item.endDate())
                    .isBetween(clock.instant(), clock.instant().plus(Duration.ofDays(30)));
            assertThat(item.description().length()).isLessThan(4000);
            assertThat(item.tags()).isNotEmpty().allMatch(tag -> tag.matches("[a-z0-9-]{1,30}"));
        });
    }
}
