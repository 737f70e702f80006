package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.UniqueCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.PropertiesEndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.OperationFilter;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.convert.ConversionServiceParameterValueMapper;
import org.springframework.boot.actuate.endpoint.web.EndpointMediaTypes;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpointDiscoverer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What a client of the actuator may do with the endpoints, as Spring Boot finds their operations. */
class EndpointActionsTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withBean(BacklogEndpoint.class, () -> new BacklogEndpoint(null))
            .withBean(LeasesEndpoint.class, () -> new LeasesEndpoint(List::of, name -> Optional.empty()))
            .withBean(
                    UniqueConstraintsEndpoint.class,
                    () -> new UniqueConstraintsEndpoint(new UniqueCatalog(), name -> Optional.empty()));

    @Test
    void onlyReadUntilTheApplicationSaysOtherwise() {
        assertThat(operations(application)).hasSize(5).containsOnly(OperationType.READ);
        assertThat(operations(application.withPropertyValues("management.endpoint.backlog.access=UNRESTRICTED")))
                .hasSize(6)
                .containsOnlyOnce(OperationType.WRITE);
    }

    private static List<OperationType> operations(ApplicationContextRunner application) {
        List<OperationType> found = new ArrayList<>();
        application.run(context -> new WebEndpointDiscoverer(
                        context,
                        new ConversionServiceParameterValueMapper(),
                        EndpointMediaTypes.DEFAULT,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(OperationFilter.byAccess(
                                new PropertiesEndpointAccessResolver(context.getEnvironment()))))
                .getEndpoints()
                .forEach(endpoint -> endpoint.getOperations().forEach(operation -> found.add(operation.getType()))));
        return found;
    }
}
