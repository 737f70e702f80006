package io.surewrite.autoconfigure;

/** A session that would send no request to any node, because none is in its local data center. */
final class WrongDatacenterException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    WrongDatacenterException(String local, String there) {
        super(
                "The local data center of the Cassandra session is '%s', and no node of the cluster is in it: there %s. No request would be sent to any node."
                        .formatted(local, there));
    }
}
