package io.surewrite.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.surewrite.unique.catalog.UniqueCatalog;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.autoconfigure.endpoint.PropertiesEndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationFilter;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.invoke.convert.ConversionServiceParameterValueMapper;
import org.springframework.boot.actuate.endpoint.web.EndpointMediaTypes;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
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
    void answerAWrongActionWithAProblem(String endpoint) {
        operations(endpoint, "UNRESTRICTED", found -> {
            Problem wrong = problem(act(found, Map.of("name", "x", "action", "erase")), 400);
            assertThat(wrong.title()).isEqualTo("Unknown action");
            assertThat(wrong.detail()).startsWith("There is no action 'erase'. Fix: send one of: ");
            assertThat(problem(act(found, Map.of("name", "x")), 400).detail()).startsWith("There is no 'action'.");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"audit", "AUDIT", "Audit"})
    void answerAnUnknownConstraintWithAProblem(String action) {
        operations(
                "uniqueconstraints",
                "UNRESTRICTED",
                found -> assertThat(problem(act(found, Map.of("name", "x", "action", action)), 404)
                                .detail())
                        .isEqualTo("There is no unique constraint 'x'. There are: none"));
    }

    private static Problem problem(Object answer, int status) {
        assertThat(answer).isInstanceOfSatisfying(WebEndpointResponse.class, response -> {
            assertThat(response.getStatus()).isEqualTo(status);
            assertThat(response.getContentType()).hasToString("application/problem+json");
        });
        Problem problem = (Problem) ((WebEndpointResponse<?>) answer).getBody();
        assertThat(problem.status()).isEqualTo(status);
        return problem;
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
                .withBean(BacklogEndpointWebExtension.class)
                .withBean(
                        UniqueConstraintsEndpoint.class,
                        () -> new UniqueConstraintsEndpoint(new UniqueCatalog(), () -> null, () -> false))
                .withBean(UniqueConstraintsEndpointWebExtension.class);
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
