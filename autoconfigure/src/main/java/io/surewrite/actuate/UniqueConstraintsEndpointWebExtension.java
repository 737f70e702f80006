package io.surewrite.actuate;

import io.surewrite.actuate.UniqueConstraintsEndpoint.Action;
import io.surewrite.actuate.UniqueConstraintsEndpoint.Job;
import io.surewrite.actuate.UniqueConstraintsEndpoint.Shown;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * {@link UniqueConstraintsEndpoint} over HTTP: says what is wrong with a request.
 *
 * @param endpoint what it is about
 */
@EndpointWebExtension(endpoint = UniqueConstraintsEndpoint.class)
public record UniqueConstraintsEndpointWebExtension(UniqueConstraintsEndpoint endpoint) {

    /**
     * Starts something, see {@link UniqueConstraintsEndpoint#start}.
     *
     * @param name the constraint's name
     * @param action what to start: the name of an {@link Action}, in whichever case
     * @return what runs now, or what is wrong with the request
     */
    @WriteOperation
    public WebEndpointResponse<?> start(@Selector String name, @Nullable String action) {
        Action known = Problem.action(Action.class, action).orElse(null);
        if (known == null) {
            return Problem.noSuchAction(Action.class, action);
        }
        Job job = endpoint.start(name, known);
        return job == null
                ? Problem.notFound(
                        "unique constraint",
                        name,
                        endpoint.constraints().stream().map(Shown::name).toList())
                : new WebEndpointResponse<>(job);
    }
}
