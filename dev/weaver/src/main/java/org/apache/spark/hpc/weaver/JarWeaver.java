package org.apache.spark.hpc.weaver;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Makes a patched jar: the stock jar's entries with the listed sites re-pointed, our classes, and a
 * {@link WeaveManifest}.
 *
 * <ol>
 *   <li>Nothing is written when anything is refused: a patched jar is whole or absent.
 *   <li>The stock jar is never changed; the output is a function of the inputs' bytes.
 *   <li>A jar that was woven from the same inputs is copied unchanged. One from other inputs is refused.
 *   <li>None of our files may replace one of Spark's.
 * </ol>
 */
final class JarWeaver {
    private final SiteList sites;
    private final String version;
    private final PrintStream log;

    JarWeaver(SiteList sites, String version, PrintStream log) {
        this.sites = sites;
        this.version = version;
        this.log = log;
    }

    /** {@code ourSide} is a folder with our classes, or a patched jar, from which the files that we added are taken. */
    void weave(Path stockJar, Path ourSide, Path out) throws IOException {
        Map<String, byte[]> stock = Entries.ofJar(stockJar);
        Map<String, byte[]> own = Files.isDirectory(ourSide) ? Entries.ofFolder(ourSide) : added(ourSide);
        WeaveManifest manifest =
                new WeaveManifest(version, stockJar.getFileName().toString(), Sha256.of(Files.readAllBytes(stockJar)));
        sites.all().forEach(manifest::site);
        own.forEach(manifest::own);
        if (stock.containsKey(WeaveManifest.ENTRY)) {
            copyIfSame(stockJar, stock, manifest, out);
            return;
        }
        refuseShadows(stockJar, stock, own);
        Map<String, byte[]> patched = patch(stockJar, stock, own, manifest);
        Entries.write(patched, out);
        log.printf(
                "weaver: %d sites in %s, %d files of ours -> %s%n",
                sites.all().size(), stockJar.getFileName(), own.size(), out.getFileName());
    }

    private static Map<String, byte[]> added(Path patchedJar) throws IOException {
        Map<String, byte[]> entries = Entries.ofJar(patchedJar);
        Map<String, byte[]> own = new LinkedHashMap<>();
        for (String line : WeaveManifest.in(entries, patchedJar).of("own")) {
            String entry = line.substring(0, line.indexOf(' '));
            own.put(entry, entries.get(entry));
        }
        return own;
    }

    private void copyIfSame(Path jar, Map<String, byte[]> entries, WeaveManifest now, Path out) throws IOException {
        WeaveManifest then = WeaveManifest.parse(entries.get(WeaveManifest.ENTRY));
        if (!then.sameInputs(now)) {
            throw new WeaveException(
                    "%s was woven already, by version %s from other inputs: give the stock jar",
                    jar, then.of("version"));
        }
        if (!Files.exists(out) || !Files.isSameFile(jar, out)) {
            Entries.write(entries, out);
        }
        log.printf("weaver: %s is woven from the same inputs already, nothing changed%n", jar.getFileName());
    }

    private static void refuseShadows(Path stockJar, Map<String, byte[]> stock, Map<String, byte[]> own) {
        for (String entry : own.keySet()) {
            if (stock.containsKey(entry)) {
                throw new WeaveException(
                        "our %s would shadow the one in %s: rename it, and list a site for it",
                        entry, stockJar.getFileName());
            }
        }
    }

    private Map<String, byte[]> patch(
            Path stockJar, Map<String, byte[]> stock, Map<String, byte[]> own, WeaveManifest manifest) {
        Map<String, byte[]> stockClasses = classesOf(stock);
        Map<String, byte[]> ownClasses = classesOf(own);
        ClassSet stockSet = outlines(stockClasses.values());
        ClassSet ownSet = outlines(ownClasses.values());
        refuseForgotten(stockJar, stockClasses.values());

        Map<String, byte[]> patched = new LinkedHashMap<>(stock);
        Replacements replacements = new OwnClasses(ownSet, stockSet);
        sites.byOwner().forEach((owner, here) -> {
            byte[] before = stockClasses.get(owner);
            if (before == null) {
                throw new WeaveException("%s has no class %s", stockJar.getFileName(), Site.dotted(owner));
            }
            byte[] after = new ClassWeaver(here, replacements).weave(before);
            patched.put(owner + ".class", after);
            manifest.woven(owner + ".class", before, after);
            here.forEach(this::report);
        });
        new SparkMethods(stockClasses, stockSet, ownSet)
                .hashes(ownClasses.values(), sites)
                .forEach(manifest::method);
        patched.putAll(own);
        patched.put(WeaveManifest.ENTRY, manifest.bytes());
        return patched;
    }

    private void report(Site site) {
        String change = site.isLeftAlone() ? "left alone" : "-> " + site.ours;
        String what =
                site.kind == Site.Kind.PROLOGUE ? "prologue" : site.kind.name().toLowerCase() + " " + site.target;
        log.printf("weaver: %s.%s: %s %s (%d)%n", site.owner, site.method, what, change, site.count);
    }

    private void refuseForgotten(Path stockJar, Collection<byte[]> classes) {
        List<String> forgotten = new ForgottenSites(sites).in(classes);
        if (!forgotten.isEmpty()) {
            throw new WeaveException(
                    "%s has places that the list forgot: add a line for each (ours '-' leaves a place alone):%n  %s",
                    stockJar.getFileName(), String.join(System.lineSeparator() + "  ", forgotten));
        }
    }

    /** The class entries by internal name, without multi-release variants. */
    static Map<String, byte[]> classesOf(Map<String, byte[]> entries) {
        return entries.entrySet().stream()
                .filter(e -> e.getKey().endsWith(".class") && !e.getKey().startsWith("META-INF/"))
                .collect(Collectors.toMap(
                        e -> e.getKey().substring(0, e.getKey().length() - ".class".length()),
                        Map.Entry::getValue,
                        (a, b) -> a,
                        LinkedHashMap::new));
    }

    static ClassSet outlines(Collection<byte[]> classes) {
        ClassSet set = new ClassSet();
        classes.forEach(set::add);
        return set;
    }
}
