package io.surewrite.cql;

import java.util.Locale;

/** A table is written at another serial consistency than this process is configured for. */
public final class SerialConsistencyException extends IllegalStateException {

    private final String mend;

    SerialConsistencyException(SerialConsistencyRow row, String theirs, String mine) {
        super(
                ("The lightweight transactions in %s are decided at %s, but this application is configured for %s. The two"
                                + " do not see each other: %s.")
                        .formatted(row.table(), theirs, mine, row.danger()));
        this.mend = """
                Set surewrite.conditional.serial-consistency=%s, as everybody else has it. To change it for all, stop all \
                applications that use the table, run

                DELETE FROM %s WHERE %s IF EXISTS;

                and start them with the new value.""".formatted(theirs.toLowerCase(Locale.ROOT).replace('_', '-'), row.table(), row.where());
    }

    /** {@return what to do about it} */
    public String mend() {
        return mend;
    }
}
