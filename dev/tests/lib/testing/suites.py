"""Finds ScalaTest's suites, and runs some of a module's suites in one JVM.

Maven has compiled them before, and has written the JVM's options and the class path to target/tests of each module.
One process per suite would load Spark for each suite, and one process for all would use only one core. So a module's
suites are divided into batches that take about the same time.
"""

import os
import pathlib
import re

from testing import counts
from testing.jobs import Job
from testing.root import ROOT
from testing.seconds import UNKNOWN_SUITE

BATCH_SECONDS = 160
CLASS = re.compile(r"^(?:final )?class (\w+)\s+extends\s+([^{]*)", re.MULTILINE)
PACKAGE = re.compile(r"^package ([\w.]+)", re.MULTILINE)


def modules():
    """Returns the folders of modules that have suites."""
    found = sorted(ROOT.glob("**/src/test/scala"))
    return [folder.parents[2] for folder in found if "target" not in folder.relative_to(ROOT).parts]


def suites(module):
    """Returns the full names of a module's suites."""
    found = []
    for file in sorted((module / "src" / "test" / "scala").glob("**/*.scala")):
        text = file.read_text(encoding="utf-8")
        packages = PACKAGE.findall(text)
        for name, parents in CLASS.findall(text):
            if re.search(r"\b(AnyFunSuite|\w+Suite)\b", parents):
                found.append(".".join([*packages, name]))
    return found


def batches(names, seconds, limit=BATCH_SECONDS):
    """Divides suites into batches that take about the same time, the longest suites first."""
    known = {name: seconds.get(name, UNKNOWN_SUITE) for name in names}
    number = max(1, round(sum(known.values()) / limit))
    filled = [[0.0, []] for _ in range(min(number, len(names)))]
    for name in sorted(names, key=known.get, reverse=True):
        least = min(filled, key=lambda batch: batch[0])
        least[0] += known[name]
        least[1].append(name)
    return [batch for _, batch in filled]


def short(suite):
    return suite.rpartition(".")[2]


class Suites(Job):
    """Some suites of a module, in one JVM; without the tests that are tagged as slow, if it is `quick`."""

    def __init__(self, module, names, name, quick=False):
        self.module = pathlib.Path(module)
        self.names = names
        self.quick = quick
        target = self.module / "target"
        # Tests' files are in this directory, if it is set: dev/tests/on-shared.
        elsewhere = os.environ.get("HPC_TEST_SCRATCH")
        temporary = pathlib.Path(elsewhere or target / "tests") / name.replace("/", "-")
        self.temporary = temporary
        self.reports = target / "scalatest-reports"
        super().__init__(name, None, cwd=self.module, env={
            # The watchdog recognises what these tests have started by this variable.
            "HPC_TEST_MODULE": f"{self.module}:{name}",
        })

    @property
    def units(self):
        return self.names

    def run(self):
        self.temporary.mkdir(parents=True, exist_ok=True)
        target = self.module / "target"
        with open(target / "tests" / "class-path", encoding="utf-8") as f:
            class_path = [str(target / "test-classes"), str(target / "classes"), f.read().strip()]
        self.command = [
            os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java",
            f"@{target}/tests/jvm.args", f"-Djava.io.tmpdir={self.temporary}",
            f"-Dtest.log={target}/unit-tests-{self.name.replace('/', '-')}.log",
            "-cp", ":".join(class_path), "org.scalatest.tools.Runner", "-R", str(target / "test-classes"),
            "-oW", "-u", str(self.reports), "-C", "org.sparkhpc.watchdog.Watchdog",
            *(word for name in self.names for word in ("-s", name)),
            *(["-l", "org.scalatest.tags.Slow"] if self.quick else []),
        ]
        for name in self.names:
            self._report(name).unlink(missing_ok=True)
        return super().run()

    def found(self, code, _seconds):
        text = self.log.read_text(encoding="utf-8", errors="replace")
        failed, by_suite, times = {}, {}, {}
        for name in self.names:
            if not self._report(name).exists():
                failed[name] = f"it didn't end:\n{self.last_words(text)}"
                continue
            its, lines, times[name] = counts.of_report(self._report(name))
            by_suite[name] = its
            if its.failed:
                failed[name] = "\n".join(line for line in lines if line.startswith("failed: "))
        if code != 0 and not failed:
            # For example, a test took too long and the JVM was ended.
            failed = {name: self.last_words(text) for name in self.names}
        return failed, by_suite, times

    def again(self, units):
        return [Suites(self.module, [unit], f"{self.name}-{short(unit)}-again", self.quick) for unit in units]

    def _report(self, name):
        return self.reports / f"TEST-{name}.xml"


def of(module, seconds, only=None, quick=False):
    """Returns jobs for a module's suites, or for some of them; if `quick`, without tests that are tagged as slow."""
    names = [name for name in suites(module) if only is None or short(name) in only]
    label = module.relative_to(ROOT).as_posix()
    return [
        Suites(module, batch, f"{label}-{number}", quick)
        for number, batch in enumerate(batches(names, seconds), 1) if batch
    ]
