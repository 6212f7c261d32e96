"""Makes what a run needs besides a distribution: the unpacked tests jars, and the overlay of woven tests.

Everything is in target/. The class path, first to last: the overlay of changed test classes, the unpacked
tests jars, the distribution's jars, and jars that the tests need and the distribution doesn't have.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

from suites import Refusal

MODULE = pathlib.Path(__file__).resolve().parent.parent
ROOT = MODULE.parent.parent
TARGET = MODULE / "target"
REPORT = pathlib.Path("META-INF", "spark-hpc", "tests.manifest")
WEAVER = ROOT / "dev" / "weaver"


def jars(folder, pattern="*.jar"):
    return sorted(folder.glob(pattern))


def artifact(jar):
    """Returns a jar's name without its version. A classifier is part of the name."""
    return re.sub(r"-\d[^-]*(?:-(?:hpc-\d+|\d+))?(?=[-.])", "", jar.name, count=1)


def _newest(paths):
    return max((path.stat().st_mtime for path in paths if path.is_file()), default=0)


def resolve(maven):
    """Lets Maven copy the tests jars and build the weaver, unless both are newer than their inputs."""
    stamp = TARGET / "resolved"
    inputs = [MODULE / "pom.xml", ROOT / "pom.xml", *(WEAVER / "src" / "main").rglob("*")]
    if stamp.exists() and stamp.stat().st_mtime > _newest(inputs):
        return
    print("resolving Spark's tests jars and building the weaver", flush=True)
    command = ["mvn", "-q", "-B", "-ntp", "-Pconformance", "-pl", "dev/conformance", "-am", "package", "-DskipTests"]
    if subprocess.run(command + maven, cwd=ROOT, stdout=sys.stderr).returncode:
        raise Refusal("Maven failed: see above")
    shutil.rmtree(TARGET / "tests", ignore_errors=True)
    stamp.touch()


def unpack():
    """Unpacks the tests jars into folders, since many tests open their resources as files."""
    folders = []
    for jar in jars(TARGET / "tests-jars"):
        folder = TARGET / "tests" / jar.stem
        if not folder.exists():
            part = folder.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            with zipfile.ZipFile(jar) as archive:
                archive.extractall(part)
            part.rename(folder)
        folders.append(folder)
    if not folders:
        raise Refusal(f"no tests jars in {TARGET}: remove that folder and run again")
    return folders


def patched_jars(home):
    found = []
    for jar in jars(home / "jars"):
        with zipfile.ZipFile(jar) as archive:
            if "META-INF/spark-hpc/weave.manifest" in archive.namelist():
                found.append(jar)
    return found


def weave(home, settings):
    """Returns the overlay for a distribution, woven with the site list of its patched jars.

    With `settings`, tests that would ignore the run's settings load them. Returns None if nothing changes: for
    stock without settings.
    """
    patched = patched_jars(home)
    if not patched and not settings:
        return None
    name = ("patched" if patched else "stock") + ("-settings" if settings else "")
    overlay = TARGET / "overlays" / name
    tests = jars(TARGET / "tests-jars")
    weaver = jars(TARGET / "jars", "spark-hpc-weaver*.jar") + jars(TARGET / "jars", "asm*.jar")
    made = overlay / REPORT
    if made.exists() and made.stat().st_mtime > _newest(patched + tests + weaver):
        return overlay
    shutil.rmtree(overlay, ignore_errors=True)
    command = ["java", "-Xmx1g", "-cp", join(weaver), "org.apache.spark.hpc.weaver.Main", "weave-tests"]
    command += ["--patched", join(patched)] if patched else []
    command += ["--settings", "reach"] if settings else []
    if subprocess.run(command + ["--out", str(overlay), *map(str, tests)]).returncode:
        raise Refusal("the tests could not be woven: see above")
    return overlay


def _report(overlay, sort):
    lines = (line.split() for line in (overlay / REPORT).read_text(encoding="utf-8").splitlines())
    return [line[1:] for line in lines if line[0] == sort]


def places(overlay):
    """Returns the number of re-pointed places that each suite runs through, by its class."""
    return {name: int(count) for name, count in _report(overlay, "suite")}


def starts_block_managers(overlay):
    """Returns the classes that construct a block manager themselves: a run of one of them must start ours."""
    return {site[0] for site in _report(overlay, "site") if site[3] == "org.apache.spark.storage.BlockManager"}


def join(paths):
    return ":".join(map(str, paths))


def class_path(home, overlay):
    own = jars(home / "jars")
    there = {artifact(jar) for jar in own}
    missing = [jar for jar in jars(TARGET / "jars") if artifact(jar) not in there and "weaver" not in jar.name]
    return join(([overlay] if overlay else []) + unpack() + own + missing)
