package io.surewrite.embedded;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A short name for a set of values, for files of the cache. */
final class Fingerprint {

    private Fingerprint() {}

    static String of(Object... values) {
        StringBuilder text = new StringBuilder();
        for (Object value : values) {
            text.append(value).append('\n');
        }
        return of(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    static String of(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(digest, 0, 10);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
