package com.example.packaged;

import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;
import org.springframework.boot.devtools.restart.Restarter;
import org.springframework.context.ApplicationContext;

/** Restarts the application as DevTools does after a change of a class. It is apart, because no jar has DevTools. */
final class Restart {

    private static final String SERVER = "packaged.server";

    private Restart() {}

    static void restartOnce(ApplicationContext context) {
        String server = context.getBean(CassandraConnectionDetails.class).getContactPoints().toString();
        ClassLoader loader = Restart.class.getClassLoader();
        System.out.println("Runs in " + loader + " on " + server);
        String before = System.getProperty(SERVER);
        if (before == null) {
            System.setProperty(SERVER, server);
            Restarter.getInstance().restart();
        } else if (before.equals(server)) {
            System.out.println("RESTARTED ON THE SAME SERVER");
            System.exit(0);
        } else {
            throw new IllegalStateException("FAILED: " + before + " became " + server);
        }
    }
}
