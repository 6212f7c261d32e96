package org.sparkhpc.pages;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** What its user shows to be let in; compared in a time that doesn't tell how much of it was right. */
final class Key {
    private final byte[] bytes;

    Key(String text) {
        bytes = text.getBytes(StandardCharsets.UTF_8);
    }

    /** @param given may be null, which is no key */
    boolean is(String given) {
        return given != null && MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), bytes);
    }
}
