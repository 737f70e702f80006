package io.surewrite.alledeals.live;

import io.surewrite.alledeals.ShopTest;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.test.web.servlet.client.RestTestClient;

class LiveEndpointIntegrationTests extends ShopTest {

    @LocalManagementPort
    private int management;

    @Test
    void keepsWhatIsForOperatorsOffTheShopsPort() {
        manage("/actuator/health").expectStatus().isOk();
        manage("/actuator/leases").expectStatus().isOk();
        manage("/actuator/env").expectStatus().isNotFound();
        get("/actuator/health").expectStatus().isNotFound();
        get("/actuator/live").expectStatus().isNotFound();
    }

    private RestTestClient.ResponseSpec manage(String path) {
        return RestTestClient.bindToServer()
                .baseUrl("http://localhost:" + management)
                .build()
                .get()
                .uri(path)
                .exchange();
    }
}
