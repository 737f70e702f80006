package io.surewrite.embedded;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.aether.transfer.AbstractTransferListener;
import org.eclipse.aether.transfer.TransferEvent;

/** Says how a download gets on, every two seconds; silent when everything is in the local repository. */
final class DownloadProgress extends AbstractTransferListener {

    private static final System.Logger LOG = System.getLogger(EmbeddedCassandra.class.getName());
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(2);

    private final String version;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong jars = new AtomicLong();
    private final AtomicLong lastSaid = new AtomicLong();

    DownloadProgress(String version) {
        this.version = version;
    }

    @Override
    public void transferProgressed(TransferEvent event) {
        bytes.addAndGet(event.getDataLength());
        long now = System.nanoTime();
        long last = lastSaid.get();
        if ((last == 0 || now - last > PAUSE) && lastSaid.compareAndSet(last, now)) {
            say(
                    last == 0
                            ? "Downloading Apache Cassandra {0} (about 70 MB, once)"
                            : "Downloading Apache Cassandra {0}: {1}");
        }
    }

    @Override
    public void transferSucceeded(TransferEvent event) {
        if (event.getResource().getResourceName().endsWith(".jar")) {
            jars.incrementAndGet();
        }
    }

    void finish() {
        if (bytes.get() > 0) {
            say("Downloaded Apache Cassandra {0}: {1}");
        }
    }

    private void say(String text) {
        LOG.log(Level.INFO, text, version, "%d jars, %.1f MB".formatted(jars.get(), bytes.get() / 1e6));
    }
}
