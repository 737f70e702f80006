package io.surewrite.backlog;

/**
 * Encrypts the statements of kept writes, texts and values, on the disk. A bean of this type is used for every entry that is
 * kept from then on. Safe for use by many threads.
 *
 * <p>Keys are rotated by a new {@link #keyId()}: each entry names its key, and {@link #decrypt} gets it back. An entry whose
 * key is not known becomes a dead letter, which can be replayed once the key is there again.
 *
 * <p>Names of operations, sessions, clusters and keyspaces, and timestamps, are not encrypted.
 */
public interface BacklogCipher {

    /** {@return the name of the key for new entries, at most some dozen characters; it is stored in the clear} */
    String keyId();

    /** {@return the encrypted bytes, with all that it takes to decrypt them, such as an initialization vector} */
    byte[] encrypt(String keyId, byte[] plain);

    /**
     * {@return what was encrypted with the key of this name}
     *
     * @throws RuntimeException if the key is not known, or does not fit; its message is shown
     */
    byte[] decrypt(String keyId, byte[] encrypted);
}
