package io.surewrite.backlog;

import java.util.HexFormat;
import java.util.List;

/** Dead letters as people see them. */
final class DeadLetters {

    private DeadLetters() {}

    static DeadLetter show(StoredDeadLetter letter) {
        StoredEntry stored = letter.entry();
        try {
            BacklogEntry entry = EntryCodec.decode(stored.body());
            return new DeadLetter(
                    stored.id(),
                    entry.operation(),
                    entry.session(),
                    entry.keyspace(),
                    entry.statements().stream().map(DeadLetters::show).toList(),
                    entry.timestamp(),
                    letter.died(),
                    letter.reason(),
                    letter.detail());
        } catch (BacklogException unreadable) {
            return new DeadLetter(
                    stored.id(), "unreadable", "", "", List.of(), 0, letter.died(), letter.reason(), letter.detail());
        }
    }

    private static DeadLetter.Statement show(KeptStatement statement) {
        return new DeadLetter.Statement(
                statement.cql(),
                statement.values().stream().map(DeadLetters::show).toList());
    }

    private static String show(KeptValue value) {
        String prefix = value.name() == null ? "" : value.name() + "=";
        if (!value.isSet()) {
            return prefix + "unset";
        }
        return prefix + (value.bytes() == null ? "null" : "0x" + HexFormat.of().formatHex(value.bytes()));
    }
}
