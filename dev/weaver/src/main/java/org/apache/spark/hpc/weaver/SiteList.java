package org.apache.spark.hpc.weaver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sites of one {@code *.sites} file in its order; a line that starts with # is a comment. */
public final class SiteList {
    private final List<Site> sites;

    private SiteList(List<Site> sites) {
        this.sites = Collections.unmodifiableList(sites);
    }

    /** Reads a file; a refusal names file and line. */
    static SiteList read(Path file) throws IOException {
        return parse(file.getFileName().toString(), new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    }

    /** Reads {@code text}. A refusal calls it {@code name}. */
    public static SiteList parse(String name, String text) {
        List<Site> sites = new ArrayList<>();
        Map<String, Integer> lineOf = new LinkedHashMap<>();
        String[] lines = text.split("\r?\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].trim();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            Site site = parseLine(name, i + 1, line);
            Integer earlier = lineOf.put(key(site), i + 1);
            if (earlier != null) {
                throw new WeaveException(
                        "%s:%d: the same site stands at line %d already: add the counts up in one line",
                        name, i + 1, earlier);
            }
            sites.add(site);
        }
        if (sites.isEmpty()) {
            throw new WeaveException("%s: no site in it, so there is nothing to weave", name);
        }
        return new SiteList(sites);
    }

    /** A list that the weaver itself makes. It may be empty, and nothing in it has to be checked. */
    static SiteList of(List<Site> sites) {
        return new SiteList(new ArrayList<>(sites));
    }

    private static Site parseLine(String name, int number, String line) {
        try {
            return Site.parse(line);
        } catch (WeaveException e) {
            throw new WeaveException("%s:%d: %s", name, number, e.getMessage());
        }
    }

    private static String key(Site site) {
        // Two prologues on one method would depend on their order.
        return String.join(" ", site.owner, site.method, site.methodDescriptor, site.kind.name(), site.target);
    }

    List<Site> all() {
        return sites;
    }

    /** The sites of each stock class, by its internal name. */
    Map<String, List<Site>> byOwner() {
        Map<String, List<Site>> byOwner = new LinkedHashMap<>();
        for (Site site : sites) {
            byOwner.computeIfAbsent(Site.internal(site.owner), k -> new ArrayList<>())
                    .add(site);
        }
        return byOwner;
    }
}
