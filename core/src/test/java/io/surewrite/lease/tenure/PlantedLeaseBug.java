package io.surewrite.lease.tenure;

import io.surewrite.lease.LeaseSettings;
import io.surewrite.lease.tenure.SimLeaseTable.Row;
import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A bug, planted by exchanging a part of the protocol, that the simulation must notice. */
enum PlantedLeaseBug {
    /** Nothing: the code as it ships. */
    NOTHING,

    RELEASE_WITHOUT_TOKEN {
        @Override
        LeaseStore store(SimProcess process, SimCluster cluster, SimLeaseTable table) {
            return new SimLeaseStore(process, cluster, table) {
                @Override
                public CompletionStage<LeaseAnswer> release(
                        String name, Set<UUID> heldIds, long writeTs, Duration timeout) {
                    return cluster.settle(
                                    process,
                                    () -> "release without token",
                                    node -> table.releaseWithoutToken(node, heldIds),
                                    row -> false,
                                    timeout.toNanos())
                            .thenApply(SimLeaseStore::answer);
                }
            };
        }
    },

    PLAIN_WRITE_RELEASE {
        @Override
        LeaseStore store(SimProcess process, SimCluster cluster, SimLeaseTable table) {
            return new SimLeaseStore(process, cluster, table) {
                @Override
                public CompletionStage<LeaseAnswer> release(
                        String name, Set<UUID> heldIds, long writeTs, Duration timeout) {
                    long timestamp = table.now();
                    return cluster.settle(
                                    process,
                                    () -> "plain release",
                                    node -> table.plainRelease(node, heldIds, timestamp),
                                    (Row row) -> false,
                                    timeout.toNanos())
                            .thenApply(SimLeaseStore::answer);
                }
            };
        }
    },

    DEADLINE_FROM_THE_ANSWER {
        @Override
        LeaseRules rules(LeaseSettings settings) {
            return new LeaseRules(settings) {
                @Override
                long deadline(long sentAt, long answeredAt, Duration ttl) {
                    return super.deadline(answeredAt, answeredAt, ttl);
                }
            };
        }
    },

    RENEWAL_AFTER_RELEASE {
        @Override
        LeaseStore store(SimProcess process, SimCluster cluster, SimLeaseTable table) {
            return new SimLeaseStore(process, cluster, table) {
                private LeaseWrite last;

                @Override
                public CompletionStage<LeaseAnswer> acquire(LeaseWrite claim, Duration timeout) {
                    last = claim;
                    return super.acquire(claim, timeout);
                }

                @Override
                public CompletionStage<LeaseAnswer> release(
                        String name, Set<UUID> heldIds, long writeTs, Duration timeout) {
                    process.after(
                            timeout.toNanos(),
                            () -> renew(
                                    heldIds,
                                    last.replacedBy(new UUID(1, table.now()), last.ttl(), last.reserved()),
                                    timeout));
                    return super.release(name, heldIds, writeTs, timeout);
                }
            };
        }
    },

    UNKNOWN_RENEWAL_EXTENDS {
        @Override
        LeaseRules rules(LeaseSettings settings) {
            return new LeaseRules(settings) {
                @Override
                long deadlineAfterUnclear(long deadline, long sentAt, Duration ttl) {
                    return deadline(sentAt, sentAt, ttl);
                }
            };
        }
    },

    NO_EPOCH {
        @Override
        LeaseStore store(SimProcess process, SimCluster cluster, SimLeaseTable table) {
            return new SimLeaseStore(process, cluster, table) {
                @Override
                public CompletionStage<LeaseAnswer> acquire(LeaseWrite claim, Duration timeout) {
                    return cluster.settle(
                                    process,
                                    () -> "acquire without epoch",
                                    node -> table.acquire(node, claim, false),
                                    row -> claim.leaseId().equals(row.leaseId()),
                                    timeout.toNanos())
                            .thenApply(SimLeaseStore::answer);
                }
            };
        }
    },

    HAND_OVER_WITHOUT_NEW_TOKEN {
        @Override
        LeaseRules rules(LeaseSettings settings) {
            return new LeaseRules(settings) {
                @Override
                long tokenAfterHandOver(long token) {
                    return token;
                }
            };
        }
    },

    TOKENS_NOT_RESERVED {
        @Override
        LeaseRules rules(LeaseSettings settings) {
            return new LeaseRules(settings) {
                @Override
                long nextEpoch(long epoch) {
                    return epoch + 1;
                }

                @Override
                long firstToken(long nextEpoch) {
                    return nextEpoch;
                }
            };
        }
    },

    NO_LIMIT_OF_HAND_OVERS {
        @Override
        LeaseRules rules(LeaseSettings settings) {
            return new LeaseRules(settings) {
                @Override
                boolean mayHandOver(int handOversSoFar) {
                    return true;
                }
            };
        }
    },

    LEASE_ID_USED_AGAIN {
        @Override
        Supplier<UUID> ids(World world, Supplier<UUID> fresh) {
            UUID always = fresh.get();
            return () -> always;
        }
    },

    RELEASE_FORGETS_UNCONFIRMED {
        @Override
        LeaseStore store(SimProcess process, SimCluster cluster, SimLeaseTable table) {
            return new SimLeaseStore(process, cluster, table) {
                @Override
                public CompletionStage<LeaseAnswer> release(
                        String name, Set<UUID> heldIds, long writeTs, Duration timeout) {
                    UUID confirmed = List.copyOf(heldIds).get(heldIds.size() - 1);
                    return super.release(name, Set.of(confirmed), writeTs, timeout);
                }
            };
        }
    },

    RENEWAL_KEEPS_ITS_ID {
        @Override
        LeaseRules rules(LeaseSettings settings) {
            return new LeaseRules(settings) {
                @Override
                UUID idOfRenewal(UUID held, Supplier<UUID> fresh) {
                    return held;
                }
            };
        }
    },

    /** A caller takes the answer to a question that was on its way when it came. */
    ANSWERS_FROM_BEFORE_THE_CALL {
        @Override
        LeaseRules rules(LeaseSettings settings) {
            return new LeaseRules(settings) {
                @Override
                boolean tells(long look, long joined) {
                    return true;
                }
            };
        }
    },

    NO_MARGIN_FOR_THE_CLOCKS {
        @Override
        LeaseRules rules(LeaseSettings settings) {
            return new LeaseRules(settings) {
                @Override
                long usable(Duration ttl) {
                    return super.usable(ttl) + settings.skewMargin().toNanos();
                }
            };
        }
    },

    ROW_REMOVED_WITHOUT_RAISING_THE_FLOOR {
        @Override
        LeaseSweep.Rows rows(SimProcess process, SimCluster cluster, SimLeaseTable table) {
            return new SimLeaseRows(process, cluster, table) {
                @Override
                public CompletionStage<LeaseAnswer> raiseFloor(long expected, long floor, Duration timeout) {
                    return CompletableFuture.completedStage(new LeaseAnswer.Done());
                }
            };
        }
    },

    FLOOR_RAISED_AFTER_THE_ROW_IS_REMOVED {
        @Override
        LeaseSweep.Rows rows(SimProcess process, SimCluster cluster, SimLeaseTable table) {
            return new SimLeaseRows(process, cluster, table) {
                @Override
                public CompletionStage<LeaseAnswer> raiseFloor(long expected, long floor, Duration timeout) {
                    return CompletableFuture.completedStage(new LeaseAnswer.Done());
                }

                @Override
                public CompletionStage<LeaseAnswer> remove(String name, long epoch, Duration timeout) {
                    return super.remove(name, epoch, timeout)
                            .thenCompose(answer -> super.raiseFloor(table.floor(), epoch, timeout)
                                    .thenApply(raised -> answer));
                }
            };
        }
    },

    ROW_REMOVED_WHATEVER_ITS_EPOCH {
        @Override
        LeaseSweep.Rows rows(SimProcess process, SimCluster cluster, SimLeaseTable table) {
            return new SimLeaseRows(process, cluster, table) {
                @Override
                public CompletionStage<LeaseAnswer> remove(String name, long epoch, Duration timeout) {
                    return remove(epoch, false, timeout);
                }
            };
        }
    },

    NAME_WITHOUT_A_ROW_STARTS_AT_ONE {
        @Override
        LeaseStore store(SimProcess process, SimCluster cluster, SimLeaseTable table) {
            return new SimLeaseStore(process, cluster, table) {
                @Override
                public CompletionStage<Long> floor() {
                    return CompletableFuture.completedStage(0L);
                }
            };
        }
    },

    /** One that makes rows and knows of no floor. */
    ROWS_SWEPT_BESIDE_AN_OLD_PROCESS {
        @Override
        LeaseStore store(SimProcess process, SimCluster cluster, SimLeaseTable table) {
            return process.name().equals("p1")
                    ? NAME_WITHOUT_A_ROW_STARTS_AT_ONE.store(process, cluster, table)
                    : super.store(process, cluster, table);
        }
    },

    /** The floor is compared once, and who comes before that trusts the row. */
    ROWS_COUNT_AS_PROVEN_UNSEEN {
        @Override
        LeaseRules rules(LeaseSettings settings) {
            return new LeaseRules(settings) {
                @Override
                boolean mustProve(LeaseWrite claim) {
                    return claim.expectedEpoch() == 0;
                }
            };
        }
    },

    /** A floor that was read before the row was made says nothing of rows removed in between. */
    FLOOR_READ_BEFORE {
        @Override
        LeaseStore store(SimProcess process, SimCluster cluster, SimLeaseTable table) {
            return new SimLeaseStore(process, cluster, table) {
                private CompletionStage<Long> before = CompletableFuture.completedStage(0L);

                @Override
                public CompletionStage<LeaseAnswer> acquire(LeaseWrite claim, Duration timeout) {
                    before = super.floor();
                    return super.acquire(claim, timeout);
                }

                @Override
                public CompletionStage<Long> floor() {
                    return before;
                }
            };
        }
    };

    LeaseStore store(SimProcess process, SimCluster cluster, SimLeaseTable table) {
        return new SimLeaseStore(process, cluster, table);
    }

    LeaseSweep.Rows rows(SimProcess process, SimCluster cluster, SimLeaseTable table) {
        return new SimLeaseRows(process, cluster, table);
    }

    LeaseRules rules(LeaseSettings settings) {
        return new LeaseRules(settings);
    }

    Supplier<UUID> ids(World world, Supplier<UUID> fresh) {
        return fresh;
    }
}
