"""Chooses the jobs of a run: unit tests, each feature once in the built distribution, or everything."""

from testing import suites
from testing.jobs import Job, Unittest
from testing.root import ROOT

SHORT = ROOT / "dev" / "tests" / "short.txt"
E2E = ROOT / "dev" / "e2e"
# Tools for development, and programs to measure with: a short run leaves out their tests.
NO_FEATURES = {"examples", "dev/sim", "dev/watchdog"}
# For programs whose many JVMs each live for less than a minute.
COMPILE_QUICKLY = {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1"}


def _unittest(name, folder, libraries=()):
    path = ":".join(str(ROOT / library) for library in [*libraries, "dev/watchdog/lib"])
    command = ["python3", "-m", "watchdog", "discover", str(ROOT / folder)]
    return Unittest(name, command, cwd=ROOT / folder, env={"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"})


def unit(seconds, quick=False):
    jobs = [
        Job("docs", ["dev/check-docs"]),
        _unittest("docs-tool", "dev/docs/tests"),
        _unittest("conformance-tool", "dev/conformance/tests"),
        _unittest("tests-tool", "dev/tests/tests", ["dev/tests/lib"]),
        *([] if quick else [Unittest("watchdog", ["dev/watchdog/run-tests"])]),
        Unittest("site", ["site/run-tests"]),
        # It measures latencies.
        Unittest("bench", ["dev/bench/run-tests"], alone=True),
    ]
    for module in suites.modules():
        if module != E2E and not (quick and module.relative_to(ROOT).as_posix() in NO_FEATURES):
            jobs += suites.of(module, seconds, quick=quick)
    return jobs


def short(seconds):
    """Returns jobs with each feature, and each kind of process, once, and without tests that are tagged as slow."""
    only = {line.split()[0] for line in SHORT.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"}
    unknown = only - {suites.short(suite) for suite in suites.suites(E2E)}
    if unknown:
        raise ValueError(f"{SHORT} names suites that aren't there: {' '.join(sorted(unknown))}")
    return unit(seconds, quick=True) + suites.of(E2E, seconds, only, quick=True)


def everything(seconds):
    return [
        *unit(seconds),
        *suites.of(E2E, seconds),
        Unittest("upgrade", ["site/run-tests", "--upgrade"]),
        Unittest("slurm", ["site/run-tests", "--slurm"], turn="slurm"),
        Unittest("sparkctl", ["site/run-tests", "--sparkctl"], turn="slurm"),
        Job("conformance", ["dev/conformance/run", "--subset", "ci"], env=COMPILE_QUICKLY),
        Job("reproducible", ["dev/check-reproducible", "--same-classes"]),
        Unittest("testbed", ["dev/testbed/run-tests"], alone=True),
        Unittest("smoke", ["dev/bench/run-tests", "--smoke"], env=COMPILE_QUICKLY),
    ]
