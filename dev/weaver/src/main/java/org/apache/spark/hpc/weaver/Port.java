package org.apache.spark.hpc.weaver;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares the Spark methods on which our classes rely with those of another Spark release. */
final class Port {
    private final Map<String, byte[]> otherClasses;
    private final Map<String, MethodBodies> bodies = new HashMap<>();

    /** @param otherClasses the other release's classes by internal name */
    Port(Map<String, byte[]> otherClasses) {
        this.otherClasses = otherClasses;
    }

    /**
     * One line for each method that is gone or has changed. Each has to be read again.
     *
     * @param methods as {@link SparkMethods} lists them
     */
    List<String> changes(Collection<String> methods) {
        List<String> changes = new ArrayList<>();
        for (String line : methods) {
            String[] word = line.split(" ");
            String relation = word[0];
            String owner = word[1];
            String method = word[2];
            String now = hash(Site.internal(owner), method);
            if (now == null) {
                changes.add(relation + ", gone: " + owner + "." + method);
            } else if (!now.equals(word[3])) {
                changes.add(relation + ", changed: " + owner + "." + method);
            }
        }
        return changes;
    }

    private String hash(String owner, String method) {
        byte[] bytes = otherClasses.get(owner);
        return bytes == null
                ? null
                : bodies.computeIfAbsent(owner, k -> new MethodBodies(bytes)).hash(method);
    }
}
