package io.surewrite.embedded;

import java.util.List;

/** What this test's JVM has running and lying about. */
final class Servers {

    private Servers() {}

    /** The processes of servers that this JVM has started and that still run, paused ones too. */
    static List<Long> running() {
        return ProcessHandle.current()
                .children()
                .filter(ProcessHandle::isAlive)
                .filter(child -> child.info().command().orElse("").contains("java"))
                .map(ProcessHandle::pid)
                .toList();
    }
}
