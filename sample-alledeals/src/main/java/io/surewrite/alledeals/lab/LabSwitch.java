package io.surewrite.alledeals.lab;

import io.surewrite.alledeals.demo.EmbeddedServer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
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

    LabSwitch(@Value("${alledeals.lab:#{null}}") @Nullable Boolean wanted, CassandraConnectionDetails server) {
        this.isOpen = wanted == null ? EmbeddedServer.isMeantBy(server) : wanted;
    }

    @ModelAttribute("labIsOpen")
    boolean isOpen() {
        return isOpen;
    }
}
