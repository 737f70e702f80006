package io.surewrite.alledeals.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.alledeals.ShopTest;
import io.surewrite.alledeals.item.Item;
import io.surewrite.alledeals.user.User;
import io.surewrite.testsupport.LongLane;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.cassandra.core.CassandraOperations;
import org.springframework.test.context.TestPropertySource;

@TestPropertySource(properties = "alledeals.demo-data=") // as nobody says anything
@ExtendWith(OutputCaptureExtension.class)
@LongLane
class DemoShopIntegrationTests extends ShopTest {

    @Autowired
    private DemoShop shop;

    @Autowired
    private CassandraOperations cassandra;

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
