/**
 * What kind of server a session has, how frames are exchanged with it, and what that server does not do as writes need it. It
 * knows nothing of {@code cql}.
 */
@NullMarked
package io.surewrite.internal.compat;

import org.jspecify.annotations.NullMarked;
