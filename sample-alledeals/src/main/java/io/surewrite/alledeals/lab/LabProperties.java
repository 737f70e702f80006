package io.surewrite.alledeals.lab;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Whether there is a Lab.
 *
 * @param lab Whether the Lab is open. By default on the embedded server only.
 */
@ConfigurationProperties("alledeals")
record LabProperties(@Nullable Boolean lab) {}
