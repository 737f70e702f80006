/** What kind of server a session has, how frames are exchanged with it, and what it does not do as writes need it. */
@NullMarked
package io.surewrite.internal.compat;

import org.jspecify.annotations.NullMarked;
