package io.surewrite.alledeals.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.TravellingClock;
import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.user.User;
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
import org.springframework.context.annotation.Import;
import org.springframework.data.cassandra.core.CassandraOperations;

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
    private CassandraOperations cassandra;

    @Autowired
    private TravellingClock clock;

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
}
