package io.surewrite.lease;

/** The lease table is written at another serial consistency than this process is configured for. */
public final class SerialConsistencyException extends IllegalStateException {

    private final String mend;

    SerialConsistencyException(String table, String theirs, String mine) {
        super(("The leases in %s are decided at %s, but this application is configured for %s. The two do not see each"
                        + " other: two processes could hold one name.")
                .formatted(table, theirs, mine));
        this.mend = """
                Set surewrite.conditional.serial-consistency=%s, as everybody else has it. To change it for all, stop all \
                applications that use the table, run

                DELETE FROM %s WHERE name = '%s' IF EXISTS;

                and start them with the new value.""".formatted(
                theirs.toLowerCase(java.util.Locale.ROOT).replace('_', '-'), table, SerialConsistencyRecord.NAME);
    }

    /** {@return what to do about it} */
    public String mend() {
        return mend;
    }
}
