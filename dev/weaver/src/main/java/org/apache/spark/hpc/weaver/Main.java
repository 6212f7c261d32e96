package org.apache.spark.hpc.weaver;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The weaver's command line. Exit code 0: done; 1: refused, with one message on stderr; 2: usage.
 *
 * <pre>
 * weave --stock JAR --own FOLDER --sites FILE --version V --out JAR   makes a patched jar; FOLDER may be another
 *                                                                     patched jar, whose added files are taken
 * scan --sites FILE JAR...                                            lists forgotten sites of other jars
 * port --patched JAR --stock JAR                                      lists Spark methods that another release changed,
 *                                                                     of those on which a patched jar relies
 * port --own JAR[:JAR...] --from JAR[:JAR...] --to JAR[:JAR...]       the same for jars of ours that aren't woven
 * weave-tests [--patched JAR[:JAR...]] [--settings reach] --out FOLDER JAR...   changes Spark's tests jars
 * </pre>
 */
public final class Main {
    private static final String USAGE =
            "usage: weave --stock JAR --own FOLDER --sites FILE --version V --out JAR | scan --sites FILE JAR..."
                    + " | port --patched JAR --stock JAR"
                    + " | port --own JAR[:JAR...] --from JAR[:JAR...] --to JAR[:JAR...]"
                    + " | weave-tests [--patched JAR[:JAR...]] [--settings reach] --out FOLDER JAR...";

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments, System.out, System.err));
    }

    static int run(String[] arguments, PrintStream out, PrintStream err) {
        try {
            List<String> words = new ArrayList<>(Arrays.asList(arguments));
            String command = words.isEmpty() ? "" : words.remove(0);
            Map<String, String> options = takeOptions(words);
            if (command.equals("weave") && words.isEmpty()) {
                return weave(options, out);
            }
            if (command.equals("scan") && !words.isEmpty()) {
                return scan(options, words, out);
            }
            if (command.equals("port") && words.isEmpty()) {
                return port(options, out);
            }
            if (command.equals("weave-tests") && !words.isEmpty()) {
                return weaveTests(options, words, out);
            }
            throw new IllegalArgumentException("no such command: " + String.join(" ", arguments));
        } catch (IllegalArgumentException e) {
            err.println("weaver: " + e.getMessage());
            err.println(USAGE);
            return 2;
        } catch (WeaveException e) {
            err.println("weaver: refused: " + e.getMessage());
            return 1;
        } catch (IOException e) {
            err.println("weaver: cannot read or write: " + e);
            return 1;
        }
    }

    private static int weave(Map<String, String> options, PrintStream out) throws IOException {
        SiteList sites = SiteList.read(path(options, "--sites"));
        JarWeaver weaver = new JarWeaver(sites, need(options, "--version"), out);
        weaver.weave(path(options, "--stock"), path(options, "--own"), path(options, "--out"));
        return 0;
    }

    private static int scan(Map<String, String> options, List<String> jars, PrintStream out) throws IOException {
        ForgottenSites scan = new ForgottenSites(SiteList.read(path(options, "--sites")));
        int forgotten = 0;
        for (String jar : jars) {
            Path file = Paths.get(jar);
            for (String place : scan.in(JarWeaver.classesOf(Entries.ofJar(file)).values())) {
                out.printf("%s: %s%n", file.getFileName(), place);
                forgotten++;
            }
        }
        out.printf("weaver: %d forgotten places in %d jars%n", forgotten, jars.size());
        return forgotten == 0 ? 0 : 1;
    }

    private static int port(Map<String, String> options, PrintStream out) throws IOException {
        Collection<String> methods;
        List<Path> other;
        if (options.containsKey("--own")) {
            methods = SparkMethods.hashes(jars(options, "--own"), jars(options, "--from"));
            other = pathsOf(options, "--to");
        } else {
            Path patched = path(options, "--patched");
            methods = WeaveManifest.in(Entries.ofJar(patched), patched).of("method");
            other = pathsOf(options, "--stock");
        }
        List<String> changes = new Port(classesOf(other)).changes(methods);
        changes.forEach(out::println);
        out.printf(
                "weaver: %d of %d methods to read again in %s%n",
                changes.size(), methods.size(), other.get(0).getFileName());
        return changes.isEmpty() ? 0 : 1;
    }

    private static Map<String, byte[]> jars(Map<String, String> options, String option) throws IOException {
        return classesOf(pathsOf(options, option));
    }

    private static Map<String, byte[]> classesOf(List<Path> jars) throws IOException {
        Map<String, byte[]> classes = new TreeMap<>();
        for (Path jar : jars) {
            classes.putAll(JarWeaver.classesOf(Entries.ofJar(jar)));
        }
        return classes;
    }

    private static int weaveTests(Map<String, String> options, List<String> jars, PrintStream out) throws IOException {
        String patched = options.get("--patched");
        List<Path> patchedJars = patched == null ? paths() : paths(patched.split(File.pathSeparator));
        boolean settings = options.containsKey("--settings");
        if (patchedJars.isEmpty() && !settings) {
            throw new IllegalArgumentException("neither --patched nor --settings: nothing would change");
        }
        Path to = path(options, "--out");
        new TestsWeaver(out).weave(patchedJars, settings, paths(jars.toArray(new String[0])), to);
        return 0;
    }

    private static List<Path> paths(String... names) {
        List<Path> paths = new ArrayList<>();
        for (String name : names) {
            paths.add(Paths.get(name));
        }
        return paths;
    }

    private static List<Path> pathsOf(Map<String, String> options, String option) {
        return paths(need(options, option).split(File.pathSeparator));
    }

    private static Map<String, String> takeOptions(List<String> words) {
        Map<String, String> options = new HashMap<>();
        while (!words.isEmpty() && words.get(0).startsWith("--")) {
            String option = words.remove(0);
            if (words.isEmpty()) {
                throw new IllegalArgumentException(option + " needs a value");
            }
            options.put(option, words.remove(0));
        }
        return options;
    }

    private static Path path(Map<String, String> options, String option) {
        return Paths.get(need(options, option));
    }

    private static String need(Map<String, String> options, String option) {
        String value = options.get(option);
        if (value == null) {
            throw new IllegalArgumentException(option + " is missing");
        }
        return value;
    }
}
