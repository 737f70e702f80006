package io.surewrite.write;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import com.datastax.oss.driver.internal.core.cql.Conversions;
import com.datastax.oss.driver.internal.core.session.DefaultSession;
import com.datastax.oss.driver.internal.core.session.RequestProcessor;
import com.datastax.oss.driver.internal.core.session.RequestProcessorRegistry;
import io.surewrite.internal.cql.CqlText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives what creates, alters, drops or truncates tables more time than a request has. A busy server takes seconds for it, and
 * finishes it whether the driver waits or not.
 */
record PatientSchemaChanges<R extends Request, T>(RequestProcessor<R, T> driver) implements RequestProcessor<R, T> {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Puts them before the driver's own processors. */
    static RequestProcessorRegistry before(RequestProcessorRegistry drivers, String sessionName) {
        List<RequestProcessor<?, ?>> processors = new ArrayList<>();
        drivers.getProcessors().forEach(processor -> processors.add(new PatientSchemaChanges<>(processor)));
        drivers.getProcessors().forEach(processors::add);
        return new RequestProcessorRegistry(sessionName, processors.toArray(RequestProcessor<?, ?>[]::new));
    }

    @Override
    public boolean canProcess(Request request, GenericType<?> resultType) {
        return request instanceof SimpleStatement statement
                && statement.getTimeout() == null
                && CqlText.of(statement.getQuery()).changesTheSchema()
                && driver.canProcess(request, resultType);
    }

    @Override
    @SuppressWarnings("unchecked") // with another timeout it is still the statement
    public T process(R request, DefaultSession session, InternalDriverContext context, String logPrefix) {
        Duration configured = Conversions.resolveExecutionProfile(request, context)
                .getDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ZERO);
        // Zero is no timeout at all.
        return driver.process(
                configured.isZero() || configured.compareTo(PATIENCE) >= 0
                        ? request
                        : (R) ((SimpleStatement) request).setTimeout(PATIENCE),
                session,
                context,
                logPrefix);
    }

    @Override
    public T newFailure(RuntimeException error) {
        return driver.newFailure(error);
    }
}
