package io.surewrite.alledeals.demo;

import java.net.InetAddress;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Keeps a shop on the embedded server from being reached by other machines. */
@Component
class LoopbackOnly implements WebServerFactoryCustomizer<ConfigurableWebServerFactory> {

    private final ListableBeanFactory beans;
    private final Environment environment;

    LoopbackOnly(ListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    @Override
    public void customize(ConfigurableWebServerFactory factory) {
        if (EmbeddedServer.isForThisMachineAlone(beans, environment)) {
            factory.setAddress(InetAddress.getLoopbackAddress());
        }
    }
}
