/** Spring Boot's way in: auto-configuration, properties, failure analyzers, native hints, and what operators see. */
@NullMarked
package io.surewrite.autoconfigure;

import org.jspecify.annotations.NullMarked;
