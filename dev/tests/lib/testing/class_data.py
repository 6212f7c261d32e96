"""Class data of the distributions for the processes of end-to-end tests, most of which live for seconds, half of them
for the loading of classes. ClassData of dev/e2e uses it; site/lib/spark_hpc/class_data.py says how it works.

    target/tests/class-data/{dist,dist-stock}.jar    no class, but a class path: all jars of the distribution
    target/tests/class-data/{dist,dist-stock}.jsa    their classes
"""

import os
import shutil
import subprocess
import sys

from testing.root import LOGS, ROOT

sys.path.append(str(ROOT / "site" / "lib"))
from spark_hpc import class_data  # noqa: E402

FOLDER = LOGS / "class-data"
# Shuffles, and a query.
_PROGRAM = ["--class", "org.sparkhpc.apps.BatchFetches", ROOT / "dev/e2e-apps/target/e2e-apps.jar", "4", "8"]


def make():
    """Anew, since none fits jars that were built again. Raises CalledProcessError."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    for dist in (ROOT / "dist", ROOT / "dist-stock"):
        _make(dist)


def _make(dist):
    jar = FOLDER / f"{dist.name}.jar"
    jars = sorted((dist / "jars").glob("*.jar"))
    class_data.write_class_path(jar, [os.path.relpath(each, FOLDER) for each in jars])
    work = FOLDER / "work"
    work.mkdir()
    _record(dist, jar, work)
    seen = {}
    for file in work.glob("*.classes"):
        with open(file, encoding="utf-8") as classes:
            seen.update((line, None) for line in classes if not line.startswith("#"))
    merged = work / "merged"
    merged.write_text("".join(seen), encoding="utf-8")
    _run([
        _java(), "-Xshare:dump", f"-XX:SharedClassListFile={merged}", f"-XX:SharedArchiveFile={FOLDER / dist.name}.jsa",
        "-cp", jar,
    ], work, os.environ)
    shutil.rmtree(work)


def _record(dist, jar, work):
    """Lists of the classes that a driver and executors load."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("SPARK_")}
    env.update(SPARK_LOCAL_IP="127.0.0.1", JDK_JAVA_OPTIONS=f"-XX:DumpLoadedClassList={work}/%p.classes")
    examples = next((ROOT / "dist/examples/jars").glob("spark-examples_*.jar"))
    _run([
        dist / "bin" / "spark-submit", "--master", "local-cluster[2,1,1024]", "--driver-class-path", jar,
        "--conf", f"spark.executor.extraClassPath={jar}", "--conf", "spark.ui.enabled=false",
        "--conf", f"spark.local.dir={work}", "--jars", examples, *_PROGRAM,
    ], work, env)
    # Of the local cluster's executors.
    shutil.rmtree(dist / "work")


def _java():
    home = os.environ.get("JAVA_HOME")
    return os.path.join(home, "bin", "java") if home else "java"


def _run(command, directory, env):
    log = directory / "log"
    with open(log, "w", encoding="utf-8") as said:
        done = subprocess.run(
            command, cwd=directory, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, check=False
        )
    if done.returncode != 0:
        print(log.read_text(encoding="utf-8", errors="replace")[-4000:], flush=True)
        done.check_returncode()
