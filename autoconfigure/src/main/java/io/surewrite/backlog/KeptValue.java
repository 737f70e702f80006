package io.surewrite.backlog;

import org.jspecify.annotations.Nullable;

/**
 * A value as the server gets it.
 *
 * @param name of the bind marker, or null if values go by their positions
 * @param isSet whether it is given at all; what is not leaves the column as it is
 * @param bytes encoded, or null for null
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KeptValue(@Nullable String name, boolean isSet, byte @Nullable [] bytes) {}
