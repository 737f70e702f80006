package io.surewrite.alledeals.demo;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What the shop begins with.
 *
 * @param demoData Whether to fill it with demo data. By default on the embedded server only.
 */
@ConfigurationProperties("alledeals")
record DemoProperties(@Nullable Boolean demoData) {}
