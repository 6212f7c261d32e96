"""Makes class data of the distributions for the processes of end-to-end tests. Most of these run for a few seconds and
spend half of that on loading classes. ClassData of dev/e2e uses it; site/lib/spark_hpc/class_data.py explains it.

    target/tests/class-data/{dist,dist-stock}.jar    no classes, only a class path with all jars of the distribution
    target/tests/class-data/{dist,dist-stock}.jsa    their classes
"""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from testing.root import LOGS, ROOT

sys.path.append(str(ROOT / "site" / "lib"))
from spark_hpc import class_data  # noqa: E402

FOLDER = LOGS / "class-data"
# Runs shuffles and a query.
_PROGRAM = ["--class", "org.sparkhpc.apps.BatchFetches", ROOT / "dev/e2e-apps/target/e2e-apps.jar", "4", "8"]


def make():
    """Makes class data anew, since old class data doesn't fit newly built jars. Raises CalledProcessError."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    work = FOLDER / "work"
    work.mkdir(parents=True)
    dists = [ROOT / "dist", ROOT / "dist-stock"]
    for dist in dists:
        class_data.write_class_path(_jar(dist), [os.path.relpath(each, FOLDER) for each in _jars(dist)])
    # One list is enough: stock Spark lacks only our classes, and Java skips those.
    _record(dists[0], work)
    classes = work / "all"
    class_data.write_list(classes, work.glob("*.classes"), _jars(dists[0]))
    with ThreadPoolExecutor() as both:
        list(both.map(lambda dist: _dump(dist, classes, work), dists))
    shutil.rmtree(work)


def _jar(dist):
    return FOLDER / f"{dist.name}.jar"


def _jars(dist):
    return sorted((dist / "jars").glob("*.jar"))


def _dump(dist, classes, work):
    java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
    _run([
        java, "-Xshare:dump", f"-XX:SharedClassListFile={classes}", f"-XX:SharedArchiveFile={FOLDER / dist.name}.jsa",
        "-cp", _jar(dist),
    ], work / f"{dist.name}.log", os.environ)


def _record(dist, work):
    """Makes lists of the classes that a driver and executors load."""
    jar = _jar(dist)
    env = {name: value for name, value in os.environ.items() if not name.startswith("SPARK_")}
    env.update(SPARK_LOCAL_IP="127.0.0.1", JDK_JAVA_OPTIONS=f"-XX:DumpLoadedClassList={work}/%p.classes")
    examples = next((ROOT / "dist/examples/jars").glob("spark-examples_*.jar"))
    _run([
        dist / "bin" / "spark-submit", "--master", "local-cluster[2,1,1024]", "--driver-class-path", jar,
        "--conf", f"spark.executor.extraClassPath={jar}", "--conf", "spark.ui.enabled=false",
        "--conf", f"spark.local.dir={work}", "--jars", examples, *_PROGRAM,
    ], work / "program.log", env)
    # The local cluster's executors made this directory.
    shutil.rmtree(dist / "work")


def _run(command, log, env):
    with open(log, "w", encoding="utf-8") as said:
        done = subprocess.run(
            command, cwd=log.parent, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, check=False
        )
    if done.returncode != 0:
        print(log.read_text(encoding="utf-8", errors="replace")[-4000:], flush=True)
        done.check_returncode()
