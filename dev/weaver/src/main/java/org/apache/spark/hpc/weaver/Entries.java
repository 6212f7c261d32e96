package org.apache.spark.hpc.weaver;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * The named contents of a jar or a folder of classes, in order. A jar's folders are entries without content. They are
 * kept because a resource that is a folder (Spark's web pages) is found through its entry.
 */
final class Entries {
    /** 1980-02-01, so that equal contents make equal jars. Zip files have no year before 1980. */
    private static final long EPOCH = 318_211_200_000L;

    private Entries() {}

    static Map<String, byte[]> ofJar(Path jar) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(jar))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                entries.put(entry.getName(), readAll(zip));
            }
        }
        if (entries.isEmpty()) {
            throw new WeaveException("%s is not a jar, or is empty", jar);
        }
        return entries;
    }

    static Map<String, byte[]> ofFolder(Path folder) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (Stream<Path> walk = Files.walk(folder)) {
            List<Path> files = walk.filter(Files::isRegularFile).sorted().collect(Collectors.toList());
            for (Path file : files) {
                String name = folder.relativize(file).toString().replace('\\', '/');
                entries.put(name, Files.readAllBytes(file));
            }
        }
        return entries;
    }

    /** Writes to a temporary file beside {@code jar} and renames it, so that a reader sees all of the jar or none. */
    static void write(Map<String, byte[]> entries, Path jar) throws IOException {
        Path folder = jar.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        Path temporary = Files.createTempFile(folder, "." + jar.getFileName(), ".tmp");
        try {
            try (OutputStream out = Files.newOutputStream(temporary);
                    ZipOutputStream zip = new ZipOutputStream(out)) {
                for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                    ZipEntry header = new ZipEntry(entry.getKey());
                    header.setTime(EPOCH);
                    zip.putNextEntry(header);
                    zip.write(entry.getValue());
                    zip.closeEntry();
                }
            }
            rename(temporary, jar);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static void rename(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static byte[] readAll(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 16];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            out.write(buffer, 0, n);
        }
        return out.toByteArray();
    }
}
