package org.apache.spark.hpc.weaver;

/** A refusal: the message names the site or class, what was found, and what to do about it. */
public final class WeaveException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WeaveException(String message, Object... args) {
        super(String.format(message, args));
    }
}
