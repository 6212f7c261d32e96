package org.apache.spark.hpc.weaver;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes Spark's published tests construct what a patched jar constructs. The result is an overlay: a folder
 * of the changed test classes, which goes before the tests jars on a class path.
 *
 * <ol>
 *   <li>The site list is the patched jar's own, from its {@link WeaveManifest}.
 *   <li>Every place in a test that constructs a target is re-pointed ({@link SitesOfTests}), and every
 *       subclass of one gets our class as its parent ({@link Reparenting}). Any other use, such as a
 *       method handle, is refused.
 *   <li>The overlay's {@value #REPORT} says what was re-pointed, by class and by suite.
 * </ol>
 *
 * <pre>
 * report = { "settings" class count }      ; where a test's SparkConf loads the run's settings now
 *          { "site" site }                 ; as in Site
 *          { "subclass" class }            ; a test's class that extends ours now
 *          { "suite" class count }         ; places in it, its nested classes and its supertypes
 * </pre>
 */
final class TestsWeaver {
    static final String REPORT = "META-INF/spark-hpc/tests.manifest";

    private final PrintStream log;

    TestsWeaver(PrintStream log) {
        this.log = log;
    }

    /**
     * @param patchedJars jars whose sites are used; if there are none, tests still construct Spark's classes
     * @param settings whether the run's settings reach every test: see {@link LoadedSettings}
     */
    void weave(List<Path> patchedJars, boolean settings, List<Path> testsJars, Path out) throws IOException {
        Map<String, byte[]> tests = new LinkedHashMap<>();
        for (Path jar : testsJars) {
            // As on a class path, the first jar that has a class wins.
            JarWeaver.classesOf(Entries.ofJar(jar)).forEach(tests::putIfAbsent);
        }
        Map<String, byte[]> woven = new LinkedHashMap<>(tests);
        List<String> report = new ArrayList<>();
        if (settings) {
            LoadedSettings loaded = new LoadedSettings();
            woven.replaceAll(loaded::apply);
            loaded.places().forEach((name, count) -> report.add("settings " + Site.dotted(name) + " " + count));
            log.printf(
                    "weaver: settings reach %d test classes that shut them off%n",
                    loaded.places().size());
        }
        if (!patchedJars.isEmpty()) {
            repoint(patchedJars, woven, report);
        }
        Map<String, byte[]> changed = new TreeMap<>();
        woven.forEach((name, bytes) -> {
            if (bytes != tests.get(name)) {
                changed.put(name + ".class", bytes);
            }
        });
        log.printf("weaver: %d of %d test classes changed%n", changed.size(), tests.size());
        changed.put(REPORT, (String.join("\n", report) + "\n").getBytes(StandardCharsets.UTF_8));
        write(changed, out);
    }

    private static List<Site> listOf(Path jar, Map<String, byte[]> entries) {
        byte[] manifest = entries.get(WeaveManifest.ENTRY);
        if (manifest == null) {
            throw new WeaveException("%s has no %s: it isn't a patched jar", jar, WeaveManifest.ENTRY);
        }
        List<Site> sites = new ArrayList<>();
        WeaveManifest.parse(manifest).of("site").forEach(line -> sites.add(Site.parse(line)));
        return sites;
    }

    private void repoint(List<Path> patchedJars, Map<String, byte[]> woven, List<String> report) throws IOException {
        ClassSet patched = new ClassSet();
        List<Site> listed = new ArrayList<>();
        for (Path jar : patchedJars) {
            Map<String, byte[]> entries = Entries.ofJar(jar);
            listed.addAll(listOf(jar, entries));
            JarWeaver.classesOf(entries).values().forEach(patched::add);
        }
        SitesOfTests targets = new SitesOfTests(SiteList.of(listed));
        Map<String, Integer> places = reparent(targets, patched, woven);
        places.keySet().forEach(name -> report.add("subclass " + Site.dotted(name)));
        int subclasses = places.size();

        List<Site> found = targets.in(woven.values());
        Replacements replacements = new OwnClasses(patched, patched);
        SiteList.of(found)
                .byOwner()
                .forEach((owner, here) ->
                        woven.computeIfPresent(owner, (k, bytes) -> new ClassWeaver(here, replacements).weave(bytes)));
        refuseForgotten(targets.asList(found), woven.values());
        for (Site site : found) {
            places.merge(Site.internal(site.owner), site.count, Integer::sum);
            report.add("site " + site);
        }
        report.addAll(SuiteTotals.of(places, woven, log));
        int constructed = found.stream().mapToInt(site -> site.count).sum();
        log.printf("weaver: %d constructions re-pointed, %d subclasses re-parented%n", constructed, subclasses);
    }

    /** Re-parents test classes. Returns one place for each class that got another parent. */
    private static Map<String, Integer> reparent(SitesOfTests targets, ClassSet patched, Map<String, byte[]> woven) {
        Map<String, Integer> places = new TreeMap<>();
        Reparenting reparenting = new Reparenting(targets, patched);
        woven.replaceAll((name, bytes) -> {
            byte[] after = reparenting.apply(bytes);
            if (after != bytes) {
                places.put(name, 1);
            }
            return after;
        });
        return places;
    }

    private static void refuseForgotten(SiteList sites, Collection<byte[]> classes) {
        List<String> forgotten = new ForgottenSites(sites).in(classes);
        if (!forgotten.isEmpty()) {
            throw new WeaveException(
                    "these places in tests use a target in a way that cannot be re-pointed:%n  %s",
                    String.join(System.lineSeparator() + "  ", forgotten));
        }
    }

    /** Writes into a folder that is absent or empty, so that no class of an earlier weave stays. */
    private static void write(Map<String, byte[]> entries, Path out) throws IOException {
        if (Files.exists(out) && !Entries.ofFolder(out).isEmpty()) {
            throw new WeaveException("%s isn't empty: classes of an earlier weave would stay in it", out);
        }
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
            Path file = out.resolve(entry.getKey());
            Files.createDirectories(file.getParent());
            Files.write(file, entry.getValue());
        }
    }
}
