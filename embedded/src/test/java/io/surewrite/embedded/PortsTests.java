package io.surewrite.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.embedded.EmbeddedCassandraException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortsTests {

    private static final List<InetAddress> ONE = Ports.addresses(1);

    @Test
    void saysThatAChosenPortIsTaken() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, ONE.get(0))) {
            int port = other.getLocalPort();
            assertThatExceptionOfType(EmbeddedCassandraException.class)
                    .isThrownBy(() -> Ports.find(ONE, port))
                    .satisfies(e -> assertThat(e.getReason()).isEqualTo(Reason.PORT_TAKEN))
                    .withMessageContaining("Port " + port + " of 127.0.0.1 is in use")
                    .withMessageContaining("surewrite.embedded.port");
        }
    }

    @Test
    void saysHowToAddAMissingAddress() throws IOException {
        InetAddress nowhere = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1}); // for documentation only
        assertThatExceptionOfType(EmbeddedCassandraException.class)
                .isThrownBy(() -> Ports.find(List.of(nowhere), null))
                .satisfies(e -> assertThat(e.getReason()).isEqualTo(Reason.LOOPBACK_MISSING))
                .withMessageContaining("sudo ifconfig lo0 alias 192.0.2.1 up");
    }
}
