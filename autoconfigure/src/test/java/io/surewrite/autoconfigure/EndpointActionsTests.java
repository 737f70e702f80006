package io.surewrite.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.surewrite.unique.UniqueCatalog;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.PropertiesEndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationFilter;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.invoke.convert.ConversionServiceParameterValueMapper;
import org.springframework.boot.actuate.endpoint.web.EndpointMediaTypes;
import org.springframework.boot.actuate.endpoint.web.WebOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpointDiscoverer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What a client of the actuator may do with the endpoints that act, as Spring Boot finds their operations. */
class EndpointActionsTests {

    @ParameterizedTest
    @ValueSource(strings = {"backlog", "uniqueconstraints"})
    void onlyReadUntilTheApplicationSaysOtherwise(String endpoint) {
        operations(
                endpoint,
                null,
                found -> assertThat(found)
                        .isNotEmpty()
                        .allSatisfy(operation -> assertThat(operation.getType()).isEqualTo(OperationType.READ)));
        operations(
                endpoint,
                "UNRESTRICTED",
                found -> assertThat(found)
                        .filteredOn(operation -> operation.getType() == OperationType.WRITE)
                        .hasSize(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"backlog", "uniqueconstraints"})
    void refuseAWrongAction(String endpoint) {
        operations(endpoint, "UNRESTRICTED", found -> {
            assertRefused(found, Map.of("name", "x", "action", "erase"));
            assertRefused(found, Map.of("name", "x"));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"audit", "AUDIT", "Audit"})
    void refuseAnUnknownConstraint(String action) {
        operations(
                "uniqueconstraints",
                "UNRESTRICTED",
                found -> assertRefused(found, Map.of("name", "x", "action", action))
                        .withMessage("There is no unique constraint 'x'"));
    }

    /** By what Spring Boot answers with status 400. */
    private static ThrowableAssertAlternative<InvalidEndpointRequestException> assertRefused(
            List<WebOperation> operations, Map<String, Object> arguments) {
        return assertThatExceptionOfType(InvalidEndpointRequestException.class)
                .isThrownBy(() -> act(operations, arguments));
    }

    private static Object act(List<WebOperation> operations, Map<String, Object> arguments) {
        WebOperation write = operations.stream()
                .filter(operation -> operation.getType() == OperationType.WRITE)
                .findFirst()
                .orElseThrow();
        return write.invoke(new InvocationContext(SecurityContext.NONE, arguments));
    }

    private static void operations(String endpoint, String access, Consumer<List<WebOperation>> test) {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withBean(BacklogEndpoint.class, () -> new BacklogEndpoint(null))
                .withBean(
                        UniqueConstraintsEndpoint.class,
                        () -> new UniqueConstraintsEndpoint(new UniqueCatalog(), () -> null, () -> false));
        if (access != null) {
            runner = runner.withPropertyValues("management.endpoint." + endpoint + ".access=" + access);
        }
        runner.run(context -> test.accept(new WebEndpointDiscoverer(
                        context,
                        new ConversionServiceParameterValueMapper(),
                        EndpointMediaTypes.DEFAULT,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(OperationFilter.byAccess(
                                new PropertiesEndpointAccessResolver(context.getEnvironment()))))
                .getEndpoints().stream()
                        .filter(found -> found.getEndpointId().toString().equals(endpoint))
                        .findFirst()
                        .map(found -> List.copyOf(found.getOperations()))
                        .orElseThrow()));
    }
}
