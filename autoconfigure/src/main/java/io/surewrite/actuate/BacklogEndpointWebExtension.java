package io.surewrite.actuate;

import io.surewrite.actuate.BacklogEndpoint.Action;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * {@link BacklogEndpoint} over HTTP: says what is wrong with a request.
 *
 * @param endpoint what it is about
 */
@EndpointWebExtension(endpoint = BacklogEndpoint.class)
public record BacklogEndpointWebExtension(BacklogEndpoint endpoint) {

    /**
     * Does something with dead letters, see {@link BacklogEndpoint#act}.
     *
     * @param action what: the name of an {@link Action}, in whichever case
     * @param id of one letter; without it the first 500
     * @return what was done, or what is wrong with the request
     */
    @WriteOperation
    public WebEndpointResponse<?> act(@Nullable String action, @Nullable Long id) {
        return Problem.action(Action.class, action)
                .<WebEndpointResponse<?>>map(known -> new WebEndpointResponse<>(endpoint.act(known, id)))
                .orElseGet(() -> Problem.noSuchAction(Action.class, action));
    }
}
