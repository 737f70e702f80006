package io.surewrite.embedded;

import static io.surewrite.embedded.EmbeddedCassandraException.Reason.DIRECTORY_UNUSABLE;
import static io.surewrite.embedded.EmbeddedCassandraException.Reason.INVALID_OPTION;
import static io.surewrite.embedded.EmbeddedCassandraException.Reason.UNSUPPORTED;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The nodes of a running cluster, and how they come and go: one at a time. Thread-safe. */
final class Topology {

    private final NodeLauncher launcher;
    private final ServerDirectory directory;
    private final ReentrantLock change = new ReentrantLock();
    private volatile List<CassandraNode> members;
    private int directories;
    private @Nullable CassandraNode joining;
    private boolean stopped;

    Topology(NodeLauncher launcher, ServerDirectory directory, List<CassandraNode> founders) {
        this.launcher = launcher;
        this.directory = directory;
        this.members = List.copyOf(founders);
        this.directories = founders.size();
    }

    List<CassandraNode> members() {
        return members;
    }

    CassandraNode add(String dataCenter) {
        return changed(() -> {
            CassandraNode like = members.stream()
                    .filter(node -> node.dataCenter().equals(dataCenter))
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalArgumentException("There is no data center '%s'".formatted(dataCenter)));
            long token = NodeSpec.tokenBetween(
                    members.stream().map(node -> node.spec().token()).toList());
            CassandraNode added =
                    join((address, itsDirectory) -> like.spec().joining(address, dataCenter, token, itsDirectory));
            List<CassandraNode> all = new ArrayList<>(members);
            all.add(added);
            settle(all);
            return added;
        });
    }

    CassandraNode replace(CassandraNode dead) {
        return changed(() -> {
            mustBeMember(dead);
            if (dead.isAlive()) {
                throw new IllegalArgumentException("The " + dead + " is alive: kill it first, or decommission it");
            }
            CassandraNode replacement =
                    join((address, itsDirectory) -> dead.spec().replacement(address, itsDirectory));
            List<CassandraNode> all = new ArrayList<>(members);
            all.set(all.indexOf(dead), replacement);
            dead.retire();
            settle(all);
            return replacement;
        });
    }

    void decommission(CassandraNode leaving) {
        changed(() -> {
            mustBeMember(leaving);
            leaving.decommission();
            leaving.kill();
            leaving.retire();
            List<CassandraNode> all = new ArrayList<>(members);
            all.remove(leaving);
            settle(all);
            return leaving;
        });
    }

    void awaitMembers(long deadlineNanos) {
        Membership.await(members, launcher.options().nodes(), deadlineNanos);
    }

    /** Ends all nodes, also one that is about to come; none comes from now on. */
    void stop() {
        List<CassandraNode> all;
        synchronized (this) {
            stopped = true;
            all = new ArrayList<>(members);
            if (joining != null) {
                all.add(joining);
            }
        }
        all.parallelStream().forEach(node -> node.stop(!directory.isTemporary()));
    }

    /** What a change needs, and what it would leave behind otherwise. */
    private CassandraNode changed(Supplier<CassandraNode> how) {
        if (!directory.isTemporary()) {
            throw new EmbeddedCassandraException(
                    UNSUPPORTED,
                    "The cluster in %s starts again with as many nodes as it has now".formatted(directory.path()),
                    "Add, replace and decommission nodes of a cluster without a surewrite.embedded.directory.");
        }
        change.lock();
        try {
            if (members.stream().anyMatch(CassandraNode::hasBadLinks)) {
                throw new IllegalStateException("A link is cut or slow: restore it first");
            }
            return how.get();
        } finally {
            change.unlock();
        }
    }

    private void mustBeMember(CassandraNode node) {
        if (!members.contains(node)) {
            throw new IllegalArgumentException("The " + node + " does not belong to this cluster, or not any more");
        }
    }

    /** Starts a node at an address that no member has, and waits until it has its data and answers. */
    private CassandraNode join(BiFunction<InetAddress, Path, NodeSpec> place) {
        CassandraNode node;
        synchronized (this) {
            if (stopped) {
                throw new IllegalStateException("The cluster is closed");
            }
            node = new CassandraNode(place.apply(freeAddress(), nextDirectory()), launcher);
            joining = node;
        }
        boolean answers = false;
        try {
            node.awaitAnswer();
            answers = true;
            return node;
        } finally {
            if (!answers) {
                node.kill();
                synchronized (this) {
                    joining = null;
                }
            }
        }
    }

    private InetAddress freeAddress() {
        Set<InetAddress> taken =
                members.stream().map(node -> node.spec().address()).collect(Collectors.toSet());
        Ports ports = members.get(0).spec().ports();
        return Ports.addresses(Options.MOST_NODES).stream()
                .filter(address -> !taken.contains(address))
                .filter(address -> Ports.isFree(address, ports.cql()) && Ports.isFree(address, ports.storage()))
                .findFirst()
                .orElseThrow(() -> new EmbeddedCassandraException(
                        INVALID_OPTION,
                        "No address up to %d is left for a node".formatted(Options.MOST_NODES),
                        "Decommission a node first. On macOS, addresses above 127.0.0.1 must be added by hand."));
    }

    private Path nextDirectory() {
        try {
            Path next = directory.node(directories);
            directories++;
            return next;
        } catch (IOException e) {
            throw new EmbeddedCassandraException(
                    DIRECTORY_UNUSABLE,
                    "Cannot make a directory for another node in " + directory.path() + ": " + e,
                    "Free some space in the directory for temporary files.",
                    e);
        }
    }

    /** These are the members from now on; waits until they know it. */
    private void settle(List<CassandraNode> all) {
        List<InetAddress> addresses =
                all.stream().map(node -> node.spec().address()).toList();
        synchronized (this) {
            members = List.copyOf(all);
            joining = null;
            all.forEach(node -> node.isMemberAmong(addresses));
        }
        awaitMembers(launcher.deadline());
    }
}
