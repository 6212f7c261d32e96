package org.apache.spark.hpc.weaver;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The record of a weave, as a text file in the patched jar.
 *
 * <pre>
 * manifest = "spark-hpc-weave 1"
 *            "version" version                       ; of our side
 *            "stock" jar-name sha256
 *            { "site" site }                         ; as in Site
 *            { "own" entry sha256 }                  ; a class or resource that we added
 *            { "class" entry sha256 sha256 }         ; a woven class, before and after
 *            { "method" relation class method sha256 }
 * relation = "woven" | "overridden" | "called"       ; see SparkMethods
 * </pre>
 */
final class WeaveManifest {
    static final String ENTRY = "META-INF/spark-hpc/weave.manifest";
    private static final String MAGIC = "spark-hpc-weave 1";

    private final List<String> lines;

    private WeaveManifest(List<String> lines) {
        this.lines = lines;
    }

    WeaveManifest(String version, String stockName, String stockHash) {
        this(new ArrayList<>(Arrays.asList(MAGIC, "version " + version, "stock " + stockName + " " + stockHash)));
    }

    static WeaveManifest parse(byte[] bytes) {
        List<String> lines = Arrays.asList(new String(bytes, StandardCharsets.UTF_8).split("\n"));
        if (!lines.get(0).equals(MAGIC)) {
            throw new WeaveException("%s begins with '%s', this weaver reads '%s'", ENTRY, lines.get(0), MAGIC);
        }
        return new WeaveManifest(lines);
    }

    /** The manifest of a patched jar. */
    static WeaveManifest in(Map<String, byte[]> entries, Path jar) {
        byte[] bytes = entries.get(ENTRY);
        if (bytes == null) {
            throw new WeaveException("%s is not patched: there is no %s in it", jar, ENTRY);
        }
        return parse(bytes);
    }

    void site(Site site) {
        lines.add("site " + site);
    }

    void own(String entry, byte[] content) {
        lines.add("own " + entry + " " + Sha256.of(content));
    }

    void woven(String entry, byte[] before, byte[] after) {
        lines.add("class " + entry + " " + Sha256.of(before) + " " + Sha256.of(after));
    }

    void method(String hashLine) {
        lines.add("method " + hashLine);
    }

    /** The lines of one sort ("version", "site", "own" ...), without that word. */
    List<String> of(String sort) {
        List<String> matching = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith(sort + " ")) {
                matching.add(line.substring(sort.length() + 1));
            }
        }
        return matching;
    }

    /** Whether both describe the same version, sites and added files. */
    boolean sameInputs(WeaveManifest other) {
        return of("version").equals(other.of("version"))
                && of("site").equals(other.of("site"))
                && of("own").equals(other.of("own"));
    }

    byte[] bytes() {
        return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
