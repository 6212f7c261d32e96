import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * Measures what calls of Hadoop file systems for file: cost. Prints lines "ROUND CALL FILESYSTEM MICROSECONDS", of CPU time
 * with that of child processes, for one call; for listStatus, for one file.
 *
 * <p>Usage: FileCalls DIRECTORY ROUNDS. The first two rounds warm up, and are not printed.
 */
public final class FileCalls {
  private static final int FILES = 500;
  private static final int WARM_UP = 2;

  public static void main(String[] words) throws Exception {
    String directory = words[0];
    int rounds = Integer.parseInt(words[1]);
    Map<String, FileSystem> all = new LinkedHashMap<>();
    all.put("Raw", made(RawLocalFileSystem.class.getName(), ""));
    all.put("Hadoop", made(LocalFileSystem.class.getName(), ""));
    all.put("ours, local", made("org.sparkhpc.hadoop.PooledLocalFileSystem", "local"));
    all.put("ours, shared", made("org.sparkhpc.hadoop.PooledLocalFileSystem", "shared"));
    for (int round = -WARM_UP; round < rounds; round++) {
      for (Map.Entry<String, FileSystem> its : all.entrySet()) {
        measure(round, its.getKey(), its.getValue(), new Path(directory, "r" + Math.abs(round) + its.getKey().hashCode()));
      }
    }
  }

  private static FileSystem made(String name, String kind) throws Exception {
    FileSystem its = (FileSystem) Class.forName(name).getConstructor().newInstance();
    Configuration conf = new Configuration();
    conf.set("spark.hpc.files.kind", kind);
    its.initialize(URI.create("file:///"), conf);
    return its;
  }

  private static void measure(int round, String name, FileSystem its, Path top) throws Exception {
    byte[] text = "x".repeat(4096).getBytes(StandardCharsets.UTF_8);
    // Few files are created where each starts a command.
    time(round, "mkdirs", name, 20, number -> its.mkdirs(new Path(top, "d/" + number)));
    time(round, "create, write 4 KiB, close", name, 20, number -> {
      try (var out = its.create(new Path(top, "c/" + number))) {
        out.write(text);
      }
    });
    java.nio.file.Path files = Paths.get(top.toUri().getPath(), "f");
    Files.createDirectories(files);
    for (int number = 0; number < FILES; number++) {
      Files.write(files.resolve("" + number), text);
    }
    time(round, "getFileStatus", name, FILES, number -> its.getFileStatus(new Path(top, "f/" + number)));
    time(round, "exists", name, FILES, number -> its.exists(new Path(top, "f/" + number)));
    time(round, "listStatus, a file", name, FILES, number -> {
      if (number % FILES == 0) {
        its.listStatus(new Path(top, "f"));
      }
    });
    byte[] to = new byte[text.length];
    time(round, "open, read 4 KiB, close", name, FILES, number -> {
      try (var in = its.open(new Path(top, "f/" + number))) {
        in.readFully(to);
      }
    });
    time(round, "the same again", name, FILES, number -> {
      try (var in = its.open(new Path(top, "f/" + number))) {
        in.readFully(to);
      }
    });
    time(round, "rename", name, FILES, number -> its.rename(new Path(top, "f/" + number), new Path(top, "f/n" + number)));
    time(round, "delete", name, FILES, number -> its.delete(new Path(top, "f/n" + number), false));
    its.delete(top, true);
  }

  private interface Call {
    void run(int number) throws Exception;
  }

  private static void time(int round, String call, String name, int count, Call work) throws Exception {
    long before = cpu();
    for (int number = 0; number < count; number++) {
      work.run(number);
    }
    double micros = (cpu() - before) / 1000.0 / count;
    if (round >= 0) {
      System.out.println(round + "\t" + call + "\t" + name + "\t" + micros);
    }
  }

  /** Of this thread, of the threads that list, and of ended child processes, in nanoseconds. */
  private static long cpu() throws Exception {
    var threads = ManagementFactory.getThreadMXBean();
    long sum = threads.getCurrentThreadCpuTime();
    for (var its : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (its != null && its.getThreadName().startsWith("hpc-listing")) {
        sum += threads.getThreadCpuTime(its.getThreadId());
      }
    }
    String[] fields = Files.readString(Paths.get("/proc/self/stat")).split(" ");
    long ticks = Long.parseLong(fields[15]) + Long.parseLong(fields[16]);
    return sum + ticks * 10_000_000;
  }
}
