package org.sparkhpc.watchdog;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;

/**
 * How long activities may take, in minutes: what the environment's HPC_TEST_MINUTES says, or else the build's test.minutes;
 * or what minutes.properties says for the suite, if that is more.
 */
final class Limits {
    private static final String DEFAULT = "5";

    private final double minutes;
    private final Properties ofSuites = new Properties();

    Limits(Path directory) throws IOException {
        String ofBuild = System.getProperty("test.minutes", DEFAULT);
        minutes = Double.parseDouble(System.getenv().getOrDefault("HPC_TEST_MINUTES", ofBuild));
        try (Reader file = Files.newBufferedReader(directory.resolve("minutes.properties"))) {
            ofSuites.load(file);
        }
    }

    Duration of(String suite) {
        double most = Math.max(minutes, Double.parseDouble(ofSuites.getProperty(suite, "0")));
        return Duration.ofMillis(Math.round(most * 60_000));
    }
}
