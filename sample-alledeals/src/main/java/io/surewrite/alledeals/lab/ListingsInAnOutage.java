package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.lab.Run.Fate;
import io.surewrite.backlog.WriteBacklog;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.springframework.dao.DataAccessException;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.stereotype.Component;

/** The database is stopped, and sellers list all the same. Both sides meet the same outage. */
@Component
class ListingsInAnOutage implements Experiment {

    private static final String SELLER = "Seller";
    private static final int SELLERS = 6;
    private static final int TTL = 86_400;
    private static final long LOOK_EVERY_MILLIS = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final PlainRows plain;
    private final LabListings sure;
    private final WriteBacklog backlog;
    private final DatabaseSwitch database;

    ListingsInAnOutage(PlainRows plain, LabListings sure, WriteBacklog backlog, DatabaseSwitch database) {
        this.plain = plain;
        this.sure = sure;
        this.backlog = backlog;
        this.database = database;
    }

    @Override
    public String name() {
        return "outage";
    }

    @Override
    public boolean isPossible() {
        return database.canStop();
    }

    @Override
    public Verdict plain(Run run) throws Exception {
        return list(run, plain, "the shop", (id, text) -> plain.save(LabRow.text(id, text)));
    }

    @Override
    public Verdict sure(Run run) throws Exception {
        return list(run, sure, "the backlog", (id, text) -> sure.list(id, text, TTL));
    }

    private Verdict list(
            Run run, CassandraRepository<LabRow, String> rows, String afterwards, BiConsumer<String, String> desk)
            throws Exception {
        String offer = "listing " + UUID.randomUUID();
        desk.accept(offer, "listed before");
        run.begin();
        run.watch(afterwards, offer);
        run.faults(
                (message, random) -> message.who().startsWith(SELLER) && message.number() == 1 && random.nextBoolean()
                        ? Fate.REQUEST_LOST
                        : Fate.FINE);
        int listed;
        try {
            run.meet(database::stop);
            run.say("The database is stopped");
            listed = run.atOnce(SELLERS, SELLER, seller -> {
                try {
                    desk.accept(offer + " " + seller, "An item of seller " + seller);
                    run.say("sees: thank you");
                    return true;
                } catch (DataAccessException trouble) {
                    run.say("sees: an error");
                    return false;
                }
            });
            run.meet(database::start);
        } finally {
            database.start();
        }
        run.say("The database is back");
        int there = there(rows, offer, listed);
        run.settle();
        return new Verdict(
                "%d of %d sellers could list, %d of their items are there".formatted(listed, SELLERS, there),
                listed == SELLERS && there == SELLERS);
    }

    /** Looks until all are there that were listed, as the backlog needs a moment. */
    private int there(CassandraRepository<LabRow, String> rows, String offer, int listed) throws InterruptedException {
        List<String> ids = IntStream.rangeClosed(1, SELLERS)
                .mapToObj(seller -> offer + " " + seller)
                .toList();
        long end = System.nanoTime() + PATIENCE.toNanos();
        int there = rows.findAllById(ids).size();
        while (there < listed && System.nanoTime() < end) {
            backlog.replay();
            Thread.sleep(LOOK_EVERY_MILLIS);
            there = rows.findAllById(ids).size();
        }
        return there;
    }
}
