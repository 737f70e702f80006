package io.surewrite.internal.lwt;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.internal.clock.SimClocks;
import io.surewrite.internal.lwt.ConditionLedger.Call;
import io.surewrite.internal.lwt.ConditionLedger.End;
import io.surewrite.internal.lwt.SimConditions.Form;
import io.surewrite.internal.lwt.SimConditions.Request;
import io.surewrite.internal.lwt.SimConditions.State;
import io.surewrite.internal.lwt.SimConditions.Table;
import io.surewrite.retry.SimRetry;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimCluster.Faults;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.OptimisticLockingFailureException;

/**
 * One call whose first three requests meet everything that can become of a request, in every order; then the network is
 * well, or gone for good.
 */
class EveryLossTests {

    private static final long LATER_THAN_THE_CALL = 3_600 * World.SECOND;

    private enum Fate {
        DELIVERED,
        REQUEST_LOST,
        ANSWER_LOST,
        /** The server says that it does not know, and may apply it a little later. */
        UNDECIDED,
        LATE,
        /** Too few replicas: nothing is done. */
        UNAVAILABLE;

        Faults faults() {
            return switch (this) {
                case DELIVERED, UNAVAILABLE -> Faults.NONE;
                case REQUEST_LOST -> new Faults(1, 0, 0, 0, 0, 0);
                case ANSWER_LOST -> new Faults(0, 1, 0, 0, 0, 0);
                case UNDECIDED -> new Faults(0, 0, 0, 1, 0, 0);
                case LATE -> new Faults(0, 0, 1, 0, 0, LATER_THAN_THE_CALL);
            };
        }

        boolean isClear() {
            return this == DELIVERED || this == UNAVAILABLE;
        }
    }

    /** A statement, and whether the row cannot tell what became of it where answers were lost and nobody else wrote. */
    private enum Kind {
        INSERT(Form.INSERT, true, false, false),
        INSERT_WITHOUT_A_WRITE_ID(Form.INSERT, false, false, true),
        INSERT_UNDER_AN_ID_OF_THE_CALL(Form.INSERT, false, true, false),
        UPDATE(Form.UPDATE, true, false, false),
        UPDATE_WITHOUT_A_WRITE_ID(Form.UPDATE, false, false, true),
        DELETE(Form.DELETE, true, false, true),
        DELETE_WITHOUT_A_WRITE_ID(Form.DELETE, false, false, true),
        TEXT_INSERT(Form.TEXT_INSERT, true, false, false),
        TEXT_UPDATE(Form.TEXT_UPDATE, true, false, false),
        TEXT_DELETE(Form.TEXT_DELETE, true, false, true);

        private final Form form;
        private final boolean withId;
        private final boolean underOwnId;
        private final boolean mayStayUnknown;

        Kind(Form form, boolean withId, boolean underOwnId, boolean mayStayUnknown) {
            this.form = form;
            this.withId = withId;
            this.underOwnId = underOwnId;
            this.mayStayUnknown = mayStayUnknown;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCallIsToldTheTruth(Kind kind) {
        List<Fate> each = List.of(Fate.values());
        for (Fate first : each) {
            for (Fate second : each) {
                for (Fate third : each) {
                    List<Fate> fates = List.of(first, second, third);
                    boolean mayBeUnknown =
                            kind.mayStayUnknown && !fates.stream().allMatch(Fate::isClear);
                    assertThat(end(kind, fates, Fate.DELIVERED))
                            .as("%s %s", kind, fates)
                            .isIn(End.DONE, mayBeUnknown ? End.UNKNOWN : End.DONE);
                    end(kind, fates, Fate.REQUEST_LOST);
                    end(kind, fates, Fate.UNAVAILABLE);
                }
            }
        }
    }

    /** Runs the call, and all that is late. The ledger throws if anything is untrue. */
    private static End end(Kind kind, List<Fate> fates, Fate afterwards) {
        World world = new World(1, false);
        ConditionLedger ledger = new ConditionLedger(world::violate, !kind.form.inserts());
        State before = kind.form.inserts() ? null : new State(0, new UUID(2, 0));
        Table table = new Table(ledger, before);
        List<Fate> met = new ArrayList<>();
        SimCluster cluster = new SimCluster(world, () -> met.get(met.size() - 1).faults(), 0, World.SECOND / 10);
        SimProcess process = new SimProcess("p1", world, 0);
        SimConditions way = new SimConditions(world, cluster, process, table, PlantedConditionBug.NOTHING, () -> {
            met.add(met.size() < fates.size() ? fates.get(met.size()) : afterwards);
            return met.get(met.size() - 1) == Fate.UNAVAILABLE;
        });
        Call call = ledger.call("ours");
        CompletableFuture<End> end = new CompletableFuture<>();
        new SimRetry(process, SimClocks.timestamps(() -> SimClocks.wallMicros(process)), 1)
                .call(scope -> {
                    ConditionLedger.Write write = ledger.write(call, before == null ? -1 : 0);
                    UUID id = kind.withId ? scope.statements().nextWriteId("the row") : null;
                    return way.settle(
                                    call,
                                    scope,
                                    new Request(kind.form, write, before, id, kind.underOwnId),
                                    () -> SimRetry.DEADLINE.minusNanos(world.now()))
                            .thenAccept(settled -> {
                                ledger.settled(write, settled.applied());
                                if (!settled.applied()) {
                                    throw new OptimisticLockingFailureException("another has won");
                                }
                            });
                })
                .whenComplete((failure, impossible) -> {
                    end.complete(End.of(failure));
                    ledger.ended(call, end.join());
                });
        world.run(2 * LATER_THAN_THE_CALL);
        ledger.rest();
        return end.join();
    }
}
