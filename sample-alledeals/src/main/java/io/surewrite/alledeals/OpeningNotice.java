package io.surewrite.alledeals;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Says where the shop and its meters are, as the last lines of a start. */
@Component
class OpeningNotice {

    private static final Logger log = LoggerFactory.getLogger(OpeningNotice.class);

    private final Environment environment;

    OpeningNotice(Environment environment) {
        this.environment = environment;
    }

    @EventListener(ApplicationReadyEvent.class)
    void shopIsOpen() {
        log.info("AlleDeals is open at http://localhost:{}/", environment.getProperty("local.server.port", "8080"));
        String management = environment.getProperty("local.management.port");
        if (management != null) {
            log.info("Its meters are drawn at http://localhost:{}/actuator/live", management);
        }
    }
}
