package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.demo.EmbeddedServer;
import org.springframework.boot.cassandra.autoconfigure.CassandraConnectionDetails;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ModelAttribute;

/**
 * Whether the Lab is open, for every page, as {@code labIsOpen} in its model. It registers buyers, lists items and lets
 * the network lose things, which nobody wants in a shop where people buy.
 */
@ControllerAdvice
class LabSwitch {

    private final boolean isOpen;

    LabSwitch(LabProperties properties, CassandraConnectionDetails server) {
        this.isOpen = properties.lab() == null ? EmbeddedServer.isMeantBy(server) : properties.lab();
    }

    @ModelAttribute("labIsOpen")
    boolean isOpen() {
        return isOpen;
    }
}
