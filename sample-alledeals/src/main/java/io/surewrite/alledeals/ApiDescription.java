package io.surewrite.alledeals;

import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;
import org.springframework.context.annotation.Configuration;

/** The head of the OpenAPI page. */
@OpenAPIDefinition(
        info =
                @Info(
                        title = "AlleDeals",
                        version = "1",
                        description = "Writes are PUTs under ids of your making and safe to repeat. "
                                + "A refusal is a problem detail (RFC 9457) with a type to switch on."))
@Configuration(proxyBeanMethods = false)
class ApiDescription {}
