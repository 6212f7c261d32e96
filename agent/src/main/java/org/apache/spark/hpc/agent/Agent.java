package org.apache.spark.hpc.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.util.Arrays;
import java.util.Properties;
import java.util.Scanner;
import org.apache.spark.hpc.weaver.SiteList;

/**
 * Patches an untouched Spark as its classes are loaded: {@code -javaagent:spark-hpc-agent.jar} on
 * the driver and on every executor.
 *
 * <ol>
 *   <li>It applies the same site lists as the build of the patched distribution.
 *   <li>A JVM without Spark is left alone.
 *   <li>Whatever could leave Spark half patched ends the JVM with one line on stderr and exit code 1:
 *       a Spark that is patched already, a version that isn't verified, a site that doesn't match.
 *   <li>{@code HpcPlugin} checks later that the driver and the executors agree.
 * </ol>
 */
public final class Agent {
    private static final String BUILD = "META-INF/spark-hpc/build.properties";
    private static final String[] SITES = {
        "META-INF/spark-hpc/spark-core.sites", "META-INF/spark-hpc/spark-graphx.sites"
    };
    private static final String BAKED_IN = "META-INF/spark-hpc/weave.manifest";
    private static final String SPARK = "spark-version-info.properties";
    private static final String INSTALLED = "org.apache.spark.hpc.agent.installed";

    private Agent() {}

    public static void premain(String arguments, Instrumentation instrumentation) {
        try {
            install(instrumentation);
        } catch (IOException | RuntimeException e) {
            refuse(e.getMessage());
        }
    }

    private static void install(Instrumentation instrumentation) throws IOException {
        ClassLoader spark = ClassLoader.getSystemClassLoader();
        if (spark.getResource(SPARK) == null || System.setProperty(INSTALLED, "true") != null) {
            return;
        }
        Properties build = properties(spark, BUILD);
        if (spark.getResource(BAKED_IN) != null) {
            refuse("this Spark is patched already: remove -javaagent from spark.driver.extraJavaOptions,"
                    + " spark.executor.extraJavaOptions and JAVA_TOOL_OPTIONS");
        }
        String version = properties(spark, SPARK).getProperty("version");
        String verified = build.getProperty("verified");
        if (!Arrays.asList(verified.split(",")).contains(version)) {
            refuse("Spark-HPC " + build.getProperty("version") + " is verified for Spark " + verified
                    + ", this is Spark " + version + ": use a Spark-HPC for that version");
        }
        for (String list : SITES) {
            instrumentation.addTransformer(new SiteTransformer(SiteList.parse(list, text(spark, list))));
        }
    }

    /** Ends the JVM at once: going on would run stock code in a process that should be patched. */
    static void refuse(String reason) {
        System.err.println("spark-hpc-agent: refused: " + reason);
        System.err.flush();
        Runtime.getRuntime().halt(1);
    }

    private static Properties properties(ClassLoader loader, String resource) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = open(loader, resource)) {
            properties.load(in);
        }
        return properties;
    }

    private static String text(ClassLoader loader, String resource) throws IOException {
        try (InputStream in = open(loader, resource);
                Scanner scanner = new Scanner(in, "UTF-8").useDelimiter("\\A")) {
            return scanner.next();
        }
    }

    private static InputStream open(ClassLoader loader, String resource) throws IOException {
        InputStream in = loader.getResourceAsStream(resource);
        if (in == null) {
            throw new IOException(resource + " is missing: the agent's jar is damaged, install it again");
        }
        return in;
    }
}
