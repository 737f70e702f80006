/** Spring Boot's way in: auto-configuration, properties, failure analyzers and native hints. */
@NullMarked
package io.surewrite.autoconfigure;

import org.jspecify.annotations.NullMarked;
