package io.surewrite.unique.claims;

import io.surewrite.simulation.SimCluster;
import io.surewrite.simulation.SimProcess;
import io.surewrite.simulation.World;
import io.surewrite.unique.UniqueSettings;
import io.surewrite.unique.claims.ClaimStore.Claim;
import io.surewrite.unique.claims.ClaimStore.ClaimAnswer;
import io.surewrite.unique.claims.ClaimStore.ClaimKey;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/** A bug, planted by exchanging one rule or one statement, that the simulation must notice. */
enum PlantedBug {
    /** Nothing: the code as it ships. */
    NOTHING,

    OLD_ID_WHEN_CLAIMED_AGAIN {
        @Override
        UniqueRules rules(UniqueSettings settings) {
            return new UniqueRules(settings) {
                @Override
                UUID idForClaimingAgain(UUID old, Supplier<UUID> ids) {
                    return old;
                }
            };
        }
    },

    CLAIMED_AGAIN_BELOW_THE_SEEN_TIMESTAMP {
        @Override
        UniqueRules rules(UniqueSettings settings) {
            return new UniqueRules(settings) {
                @Override
                boolean mustRiseAbove(long seen, long timestamp) {
                    return false;
                }
            };
        }
    },

    ABANDONS_WHAT_IT_DID_NOT_CREATE {
        @Override
        UniqueRules rules(UniqueSettings settings) {
            return new UniqueRules(settings) {
                @Override
                boolean mayAbandon(boolean createdByThisCall, boolean rowSent) {
                    return true;
                }
            };
        }
    },

    RELEASE_BY_ID_AND_LEASE {
        @Override
        ClaimStore store(SimProcess process, SimCluster cluster, SimClaimTable table, UniqueSettings settings) {
            return new SimClaimStore(process, cluster, table, settings) {
                @Override
                public CompletionStage<ClaimAnswer> release(ClaimKey key, String owner, long below) {
                    return read(key).thenCompose(seen -> {
                        UUID id = seen.map(found -> found.claim().claimId()).orElse(new UUID(0, 0));
                        return settle(
                                () -> "release by id and lease " + id,
                                node -> table.removeIf(
                                        node,
                                        key,
                                        Set.of(SimClaimTable.Column.OWNER, SimClaimTable.Column.WRITE_TS),
                                        found -> found.isOf(owner)
                                                && found.claim().claimId().equals(id)
                                                && !found.leased()),
                                found -> false);
                    });
                }
            };
        }
    },

    /** Either alone would do for those who save the value itself. */
    NO_MARK_AND_NO_NOTE_BEFORE_THE_FENCE {
        @Override
        UniqueRules rules(UniqueSettings settings) {
            return new UniqueRules(settings) {
                @Override
                boolean marksBeforeFence() {
                    return false;
                }

                @Override
                boolean notesDeletions() {
                    return false;
                }
            };
        }
    },

    NO_LOOK_AT_THE_CLAIM {
        @Override
        UniqueRules rules(UniqueSettings settings) {
            return new UniqueRules(settings) {
                @Override
                boolean looksAtClaims() {
                    return false;
                }
            };
        }
    },

    NO_LOOK_AT_THE_ROW {
        @Override
        UniqueRules rules(UniqueSettings settings) {
            return new UniqueRules(settings) {
                @Override
                boolean looksAtTheRow() {
                    return false;
                }
            };
        }
    },

    DELETION_WITHOUT_A_NOTE {
        @Override
        UniqueRules rules(UniqueSettings settings) {
            return new UniqueRules(settings) {
                @Override
                boolean notesDeletions() {
                    return false;
                }
            };
        }
    },

    RESTORED_WITHOUT_CLAIMING_AGAIN {
        @Override
        UniqueRules rules(UniqueSettings settings) {
            return new UniqueRules(settings) {
                @Override
                boolean protectsRestoredValues() {
                    return false;
                }
            };
        }
    },

    SUCCESS_BEFORE_THE_RELEASE {
        @Override
        UniqueRules rules(UniqueSettings settings) {
            return new UniqueRules(settings) {
                @Override
                boolean heedsOvertakenRelease() {
                    return false;
                }
            };
        }
    },

    NO_READ_BACK {
        @Override
        UniqueRules rules(UniqueSettings settings) {
            return new UniqueRules(settings) {
                @Override
                boolean readsBack() {
                    return false;
                }
            };
        }
    },

    NO_FENCE {
        @Override
        UniqueRules rules(UniqueSettings settings) {
            return new UniqueRules(settings) {
                @Override
                boolean fences() {
                    return false;
                }
            };
        }
    },

    FENCE_ONE_TICK_EARLY {
        @Override
        UniqueRules rules(UniqueSettings settings) {
            return new UniqueRules(settings) {
                @Override
                long fenceOf(long claimedTimestamp) {
                    return claimedTimestamp - 1;
                }
            };
        }
    },

    NO_DEADLINE {
        @Override
        UniqueRules rules(UniqueSettings settings) {
            return new UniqueRules(settings) {
                @Override
                boolean isLate(long now, long deadline) {
                    return false;
                }
            };
        }
    },

    NO_ORIGIN {
        @Override
        UniqueRules rules(UniqueSettings settings) {
            return new UniqueRules(settings) {
                @Override
                boolean comparesOrigins() {
                    return false;
                }
            };
        }
    },

    NO_CLAIM_OF_THE_ROW {
        @Override
        UniqueRules rules(UniqueSettings settings) {
            return new UniqueRules(settings) {
                @Override
                boolean claimsRows() {
                    return false;
                }
            };
        }
    },

    PLAIN_TTL_ON_THE_CLAIM {
        @Override
        ClaimStore store(SimProcess process, SimCluster cluster, SimClaimTable table, UniqueSettings settings) {
            return new SimClaimStore(process, cluster, table, settings) {
                @Override
                public CompletionStage<ClaimAnswer> create(ClaimKey key, Claim claim) {
                    return settle(
                            () -> "create with a plain ttl " + key,
                            node -> {
                                table.expire(node, key);
                                return table.create(node, key, claim, lease);
                            },
                            seen -> seen.claim().claimId().equals(claim.claimId()));
                }
            };
        }
    },

    ROW_WITHOUT_THE_PINNED_TIMESTAMP {
        @Override
        LongUnaryOperator timestamps(LongSupplier now) {
            return pinned -> now.getAsLong();
        }
    };

    /** What the schedules that look for it do. */
    Focus focus(World world) {
        return world.oneOf(List.of(Focus.values()));
    }

    /** The tables in which it may show. */
    List<SimShape> shapes() {
        return SimShape.ALL;
    }

    ClaimStore store(SimProcess process, SimCluster cluster, SimClaimTable table, UniqueSettings settings) {
        return new SimClaimStore(process, cluster, table, settings);
    }

    UniqueRules rules(UniqueSettings settings) {
        return new UniqueRules(settings);
    }

    /** What becomes of the pinned timestamps of rows. */
    LongUnaryOperator timestamps(LongSupplier now) {
        return pinned -> pinned;
    }
}
