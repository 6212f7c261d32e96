package org.apache.spark.hpc.weaver;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts the re-pointed places that each suite runs through: its own, its nested classes', its supertypes'. */
final class SuiteTotals {
    private SuiteTotals() {}

    /** Lines {@code suite class count}; {@code places} counts by class, names with slashes. */
    static List<String> of(Map<String, Integer> places, Map<String, byte[]> classes, PrintStream log) {
        Map<String, Integer> outermost = new TreeMap<>();
        places.forEach((name, count) -> outermost.merge(outermost(name), count, Integer::sum));

        ClassSet outlines = new ClassSet();
        classes.values().forEach(outlines::add);
        List<String> lines = new ArrayList<>();
        for (String name : classes.keySet()) {
            Set<String> line = new LinkedHashSet<>();
            line.add(name);
            line.addAll(outlines.supertypes(name, outlines));
            int count = line.stream()
                    .mapToInt(type -> outermost.getOrDefault(type, 0))
                    .sum();
            boolean runs = !outlines.get(name).isAbstract() && name.indexOf('$') < 0;
            if (count > 0 && runs) {
                lines.add("suite " + Site.dotted(name) + " " + count);
                log.printf("weaver: %s: %d places%n", Site.dotted(name), count);
            }
        }
        return lines;
    }

    private static String outermost(String name) {
        int dollar = name.indexOf('$');
        return dollar < 0 ? name : name.substring(0, dollar);
    }
}
