package io.surewrite.verification.hotitem;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import java.util.Map;
import java.util.UUID;

/**
 * Buying as the Cassandra modeling kata does it: save the purchase with a TTL of a day, read the item, update it on the
 * condition that its stock is as it was read, and go again if it is not. When it answers, the purchase is bound and that
 * is all: what the kata does after it (completion, listings) is left away, to its advantage, and so are all checks but
 * the one of the stock.
 */
final class KataLoop implements Counter {

    private final CqlSession session;
    private final PreparedStatement insertItem;
    private final PreparedStatement save;
    private final PreparedStatement read;
    private final PreparedStatement bind;

    KataLoop(CqlSession session) {
        this.session = session;
        session.execute("CREATE TABLE IF NOT EXISTS kata_item (id timeuuid PRIMARY KEY, offered_units int,"
                + " available_units int, purchases map<timeuuid, int>, auction_finished boolean)");
        session.execute("CREATE TABLE IF NOT EXISTS kata_purchase (id timeuuid PRIMARY KEY, item_id timeuuid,"
                + " user_id uuid, unit_price decimal, quantity int, status text)");
        insertItem = session.prepare(
                "INSERT INTO kata_item (id, offered_units, available_units) VALUES (?, ?, ?) IF NOT EXISTS");
        save = session.prepare("INSERT INTO kata_purchase (id, item_id, user_id, unit_price, quantity, status)"
                + " VALUES (?, ?, ?, 1.00, 1, 'CREATED') USING TTL 86400");
        read = session.prepare("SELECT * FROM kata_item WHERE id = ?");
        bind = session.prepare("UPDATE kata_item SET available_units = ?, auction_finished = ?,"
                + " purchases = purchases + ? WHERE id = ? IF available_units = ?");
    }

    @Override
    public UUID list(int units) {
        UUID item = Uuids.timeBased();
        session.execute(insertItem.bind(item, units, units));
        return item;
    }

    @Override
    public boolean buy(UUID item, int buyer) {
        UUID purchase = Uuids.timeBased();
        session.execute(save.bind(purchase, item, new UUID(0, buyer)));
        while (true) {
            try {
                Row row = session.execute(read.bind(item)).one();
                int available = row == null ? 0 : row.getInt("available_units");
                if (available == 0) {
                    return false;
                }
                boolean bound = session.execute(
                                bind.bind(available - 1, available == 1, Map.of(purchase, 1), item, available))
                        .wasApplied();
                if (bound) {
                    return true;
                }
            } catch (DriverException timeout) {
                Thread.onSpinWait(); // the kata's loop knows no better than to go again
            }
        }
    }
}
