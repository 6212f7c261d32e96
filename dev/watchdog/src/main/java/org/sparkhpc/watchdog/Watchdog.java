package org.sparkhpc.watchdog;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.scalatest.Reporter;
import org.scalatest.events.Event;
import org.scalatest.events.SuiteAborted;
import org.scalatest.events.SuiteCompleted;
import org.scalatest.events.SuiteStarting;
import org.scalatest.events.TestCanceled;
import org.scalatest.events.TestFailed;
import org.scalatest.events.TestPending;
import org.scalatest.events.TestStarting;
import org.scalatest.events.TestSucceeded;
import scala.Option;

/**
 * A reporter of ScalaTest that lets no test hang, nor what is before and after a suite's tests.
 *
 * <ol>
 *   <li>Past its {@linkplain Limits limit} it is told what the JVMs and logs show, and the processes that it started end.
 *   <li>If it doesn't end by that, its thread is interrupted.
 *   <li>If it doesn't end by that either, this JVM does.
 * </ol>
 *
 * The run has failed then, whatever the test says.
 */
public final class Watchdog implements Reporter {
    private static final String MARK = "HPC_TEST_MODULE";
    private static final int FAILED = 1;
    private static final long TICK_MILLIS = 200;
    private static final long MOST_OF_A_TICK_NANOS = 2_000_000_000L;

    private final Path directory = Path.of(System.getProperty("root.dir", "."), "dev", "watchdog");
    private final Limits limits = new Limits(directory);
    private final Map<String, Activity> activities = new ConcurrentHashMap<>();
    private boolean hasFailed;

    public Watchdog() throws IOException {
        Thread watching = new Thread(this::watch, "watchdog");
        watching.setDaemon(true);
        watching.start();
    }

    @Override
    public void apply(Event event) {
        if (event instanceof SuiteStarting e) {
            begin(e, e.suiteId(), e.suiteName(), e.suiteClassName(), "what is before its first test");
        } else if (event instanceof TestStarting e) {
            begin(e, e.suiteId(), e.suiteName(), e.suiteClassName(), e.testName());
        } else if (event instanceof TestSucceeded e) {
            begin(e, e.suiteId(), e.suiteName(), e.suiteClassName(), after(e.testName()));
        } else if (event instanceof TestFailed e) {
            begin(e, e.suiteId(), e.suiteName(), e.suiteClassName(), after(e.testName()));
        } else if (event instanceof TestCanceled e) {
            begin(e, e.suiteId(), e.suiteName(), e.suiteClassName(), after(e.testName()));
        } else if (event instanceof TestPending e) {
            begin(e, e.suiteId(), e.suiteName(), e.suiteClassName(), after(e.testName()));
        } else if (event instanceof SuiteCompleted e) {
            activities.remove(e.suiteId());
        } else if (event instanceof SuiteAborted e) {
            activities.remove(e.suiteId());
        }
    }

    private static String after(String test) {
        return "what is after \"" + test + "\"";
    }

    private void begin(Event event, String id, String name, Option<String> ofClass, String what) {
        String suite = ofClass.isDefined() ? ofClass.get() : name;
        // It has all others in it, and takes as long as these together.
        if (!suite.equals("org.scalatest.tools.DiscoverySuite")) {
            activities.put(id, new Activity(suite, what, event.threadName(), limits.of(suite)));
        }
    }

    private void watch() {
        try {
            long before = System.nanoTime();
            while (true) {
                Thread.sleep(TICK_MILLIS);
                long now = System.nanoTime();
                // A process that was stopped, as by a shell or a suspended machine, isn't late by that.
                long passed = Math.min(now - before, MOST_OF_A_TICK_NANOS);
                before = now;
                for (Activity activity : activities.values()) {
                    activity.age(passed);
                    if (activity.isOverdue()) {
                        advance(activity);
                    }
                }
            }
        } catch (InterruptedException e) {
            say("the watchdog was interrupted: tests may hang");
        }
    }

    private void advance(Activity activity) throws InterruptedException {
        switch (activity.state()) {
            case IN_TIME -> {
                long seconds = activity.limit.toSeconds();
                say(activity + "\n  isn't over after " + seconds
                        + " s (HPC_TEST_MINUTES: more). What its processes do:");
                failRun();
                endProcesses(activities.size() > 1 ? activity.shortName() : "");
                activity.enter(Activity.State.TOLD);
            }
            case TOLD -> {
                say(activity + "\n  doesn't end: its thread is interrupted");
                for (Thread thread : Thread.getAllStackTraces().keySet()) {
                    if (thread.getName().equals(activity.thread)) {
                        thread.interrupt();
                    }
                }
                activity.enter(Activity.State.INTERRUPTED);
            }
            case INTERRUPTED -> {
                say(activity + "\n  doesn't end: this JVM does");
                endProcesses("");
                Runtime.getRuntime().halt(FAILED);
            }
        }
    }

    /** What a test says that was ended isn't known, so the exit code says it. */
    private void failRun() {
        if (!hasFailed) {
            hasFailed = true;
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(FAILED)));
        }
    }

    /** Says what they do first; where other suites run, only those that have the name of this one. */
    private void endProcesses(String about) throws InterruptedException {
        String pid = Long.toString(ProcessHandle.current().pid());
        String mark = MARK + "=" + System.getenv().getOrDefault(MARK, pid);
        String program = directory.resolve("end").toString();
        try {
            new ProcessBuilder(program, mark, pid, "--about", about)
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (IOException e) {
            say("cannot say what they do, nor end them: " + e.getMessage());
        }
    }

    private static void say(String what) {
        System.out.println("watchdog: " + what);
    }
}
