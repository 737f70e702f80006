package io.surewrite.alledeals.lab;

import java.util.List;

/**
 * The same work with the same faults on the same database, written in two ways.
 *
 * @param experiment what was done
 * @param plain as Spring's guides write it
 * @param sure with Surewrite
 */
record Comparison(Experiment experiment, Side plain, Side sure) {

    /**
     * One of the two.
     *
     * @param lines what happened, in order, with its time
     * @param result what the database and the people say afterwards
     * @param right whether that is what should be
     */
    record Side(List<String> lines, String result, boolean right) {}

    /** What is compared. */
    enum Experiment {
        /** A retry after a lost answer covers what somebody wrote meanwhile. */
        UNDO(
                "A retry undoes a correction",
                "Anna saves an address. The answer is lost. While her retry waits, Bert corrects the address. Whose address stays?",
                "retryTemplate.execute(context -> cassandra.update(row));",
                "writes.execute(\"address\", () -> cassandra.update(row));"),

        /** Many check that a login is free, and all find it free. */
        LOGIN(
                "One login, eight people",
                "Eight people register with the same login at the same moment. How many hear “welcome”?",
                "if (cassandra.exists(login, LabRow.class)) refuse();\ncassandra.insert(row);",
                "@UniqueBy(\"login\")\ninterface LabMembers extends CassandraRepository<LabMember, UUID> {}"),

        /** Read, subtract, write. */
        STOCK(
                "Ten units, twenty buyers",
                "Twenty buyers want one of ten units at the same moment. How many units are sold?",
                "LabRow stock = cassandra.selectOneById(id, LabRow.class);\nif (stock.units() == 0) refuse();\ncassandra.update(LabRow.units(id, stock.units() - 1));",
                "UPDATE cass_master_item\nSET available_units = :available_after, purchases = purchases + :taken\nIF available_units = :available_before"),

        /** Whoever was late releases the lock of another one. */
        LOCK(
                "A lock released for another",
                "Anna’s process stands still for longer than her lock lasts. Bert takes the lock and works. Anna wakes and releases “her” lock. May Clara begin while Bert works?",
                "INSERT INTO lock (name, owner) VALUES (?, ?) IF NOT EXISTS USING TTL 2;\n-- and at the end\nDELETE FROM lock WHERE name = ? IF EXISTS;",
                "try (Lease lease = locks.acquire(name, wait)) { … } // released by token, never by name");

        private final String title;
        private final String question;
        private final String plainCode;
        private final String sureCode;

        Experiment(String title, String question, String plainCode, String sureCode) {
            this.title = title;
            this.question = question;
            this.plainCode = plainCode;
            this.sureCode = sureCode;
        }

        public String title() {
            return title;
        }

        public String question() {
            return question;
        }

        public String plainCode() {
            return plainCode;
        }

        public String sureCode() {
            return sureCode;
        }
    }
}
