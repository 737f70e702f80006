package io.surewrite.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Import;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ControllerAdvice;

/** What a client is answered over HTTP when a sure write did not succeed, with Spring MVC or WebFlux. */
@OnStart(OnStart.Mode.REFUSE)
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnClass({ControllerAdvice.class, ProblemDetail.class})
@ConditionalOnBooleanProperty(name = "surewrite.web.problem-details", matchIfMissing = true)
@Import({ProblemAdvice.OfServlets.class, ProblemAdvice.OfExchanges.class})
public final class SurewriteWebAutoConfiguration {}
