"""One side of a comparison, patched or stock: runs suites in JVMs of their own and reads the outcomes."""

import collections
import os
import re
import shutil
import subprocess
import time
import xml.etree.ElementTree as ElementTree

import classpath
from outcome import Outcome, outcomes
from suites import Refusal

PLACE = "is in place on executor"
# Outcomes by suite and test; seconds by suite; the number of our block managers that started.
Ran = collections.namedtuple("Ran", "outcomes seconds block_managers")
WHOLE = "(the suite itself)"


def jvm_opens():
    """Returns Spark's --add-opens from the only place in the build that has them."""
    pom = ElementTree.parse(classpath.ROOT / "pom.xml").getroot()
    return pom.find(".//{*}spark.jvm.opens").text.split()


class Side:
    """Runs suites on the distribution in `home`; `settings` are Spark's, given as system properties."""

    def __init__(self, name, home, overlay, settings, heap, patience):
        self.name, self.home, self.overlay, self.settings = name, home, overlay, settings
        self.heap, self.patience = heap, patience
        self.folder = classpath.TARGET / "runs" / name
        self.class_path = classpath.class_path(home, overlay)
        shutil.rmtree(self.folder / "home", ignore_errors=True)
        self._make_home()

    def _make_home(self):
        """Makes a SPARK_HOME that isn't the user's, since workers of a local cluster write below it."""
        self.spark_home = self.folder / "home"
        self.spark_home.mkdir(parents=True)
        for entry in self.home.iterdir():
            if entry.name != "work":
                (self.spark_home / entry.name).symlink_to(entry)

    def identity(self):
        """Returns a value that changes with the jars under test."""
        return [[jar.name, jar.stat().st_size, int(jar.stat().st_mtime)] for jar in classpath.jars(self.home / "jars")]

    def run(self, label, suites):
        """Returns the results of the suites. A suite that ends its JVM or hangs fails, and the others go on."""
        self.block_managers, self.seconds = 0, {}
        results, left, attempt = {}, sorted(suites, key=lambda s: s.junit), 0
        while left:
            attempt += 1
            folder = self.folder / f"{label}-{attempt}"
            shutil.rmtree(folder, ignore_errors=True)
            ended = self._run_jvm(folder, left)
            done = {}
            for suite in left:
                report = folder / "xml" / f"TEST-{suite.name}.xml"
                if report.exists():
                    done[suite.name] = outcomes(report)
            self._note(folder)
            if not done:
                self._refuse_aborted(folder)
            left = [suite for suite in left if suite.name not in done]
            results.update(done)
            if left:
                # Suites run in order, so the first without a report is the one that didn't finish.
                culprit = left.pop(0)
                results[culprit.name] = {WHOLE: Outcome("failed", ended)}
                print(f"  {self.name:7} {culprit.name}: {ended}", flush=True)
        for name, tests in results.items():
            if not tests:
                tests[WHOLE] = Outcome("failed", "it has no tests")
        return Ran(results, self.seconds, self.block_managers)

    def _refuse_aborted(self, folder):
        """Refuses an aborted run: ScalaTest runs no suite if it can't make one, such as a JUnit class without its
        flag."""
        said = (folder / "out.txt").read_text(encoding="utf-8", errors="replace")
        if "RUN ABORTED" in said:
            raise Refusal(f"{self.name}: {' '.join(said.splitlines()[:4])} ({folder / 'out.txt'})")

    def _command(self, folder, suites):
        options = {
            "java.io.tmpdir": folder / "tmp",
            "java.awt.headless": "true",
            "derby.system.durability": "test",
            "log4j2.configurationFile": classpath.MODULE / "log4j2.properties",
            "conformance.folder": folder,
            "spark.testing": "1",
            "spark.test.home": self.spark_home,
            "spark.master.rest.enabled": "false",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.unsafe.exceptionOnMemoryLeak": "true",
            "spark.hadoop.hadoop.security.key.provider.path": "test:///",
            **self.settings,
        }
        java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
        command = [java, "-ea", f"-Xmx{self.heap}", "-Xss4m", *jvm_opens()]
        command += [f"-D{key}={value}" for key, value in options.items()]
        command += ["-cp", self.class_path, "org.scalatest.tools.Runner", "-oW", "-u", str(folder / "xml")]
        for suite in suites:
            command += ["-j" if suite.junit else "-s", suite.name]
        return command

    def _run_jvm(self, folder, suites):
        """Runs suites in one JVM and returns why it ended, for a suite that left no report."""
        (folder / "tmp").mkdir(parents=True)
        environment = dict(
            os.environ,
            SPARK_HOME=str(self.spark_home),
            SPARK_TESTING="1",
            SPARK_SCALA_VERSION="2.12",
            SPARK_LOCAL_IP="127.0.0.1",
        )
        with open(folder / "out.txt", "wb") as out:
            jvm = subprocess.Popen(
                self._command(folder, suites), cwd=folder, env=environment, stdout=out, stderr=subprocess.STDOUT
            )
            try:
                return self._watch(jvm, folder)
            finally:
                if jvm.poll() is None:
                    jvm.kill()
                    jvm.wait()

    def _watch(self, jvm, folder):
        """Prints a progress line for each suite's report as it appears, and returns why the JVM ended."""
        seen, last = set(), time.monotonic()
        while True:
            code = jvm.poll()
            for report in sorted((folder / "xml").glob("TEST-*.xml"), key=lambda file: file.stat().st_mtime_ns):
                name = report.stem[len("TEST-"):]
                # A report that is still being written is complete at a later check.
                if name in seen or not report.read_bytes().rstrip().endswith(b"</testsuite>"):
                    continue
                seen.add(name)
                self._progress(name, outcomes(report), time.monotonic() - last)
                last = time.monotonic()
            if code is not None:
                return f"its JVM ended with exit code {code} before its report"
            if time.monotonic() - last > self.patience:
                return f"no end after {self.patience} s"
            time.sleep(0.5)

    def _progress(self, name, tests, seconds):
        count = collections.Counter(outcome.state for outcome in tests.values())
        self.seconds[name] = self.seconds.get(name, 0) + seconds
        short = re.sub(r"^org\.apache\.spark\.", "", name)
        said = ", ".join(f"{count[state]} {state}" for state in ("passed", "failed", "skipped") if count[state])
        print(f"  {self.name:7} {short}: {said or 'no tests'} ({seconds:.0f} s)", flush=True)

    def _note(self, folder):
        log = folder / "places.log"
        if log.exists():
            with open(log, encoding="utf-8", errors="replace") as lines:
                self.block_managers += sum(PLACE in line for line in lines)
        shutil.rmtree(folder / "tmp", ignore_errors=True)
