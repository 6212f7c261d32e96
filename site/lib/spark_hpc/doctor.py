"""spark-hpc doctor: finds what would keep Spark from running well on this node, and names the remedy."""

import hashlib
import os
import re
import resource
import shutil
import subprocess
import zipfile

from spark_hpc import cgroup, doctor_scratch, file_systems, interfaces, java, run_directory
from spark_hpc.findings import error, ok, warning
from spark_hpc.refused import Refused
from spark_hpc.schedulers.choice import BATCH, current
from spark_hpc.schedulers.here import policy
from spark_hpc.sizing import MB

MANIFEST = "META-INF/spark-hpc/weave.manifest"
FEW_FILES = 4096
FEW_PROCESSES = 4096


def examine(home, env, conf):
    """All findings."""
    return [*which_java(env, conf), *python(env, conf), *patch(home), *doctor_scratch.examine(env, conf),
            *run_place(env, conf), *limits(), *memory(), *network(env, conf), *scheduler(env, conf)]


def which_java(env, conf):
    try:
        program, _said, version = java.check(conf["java.home"], env)
    except Refused as why:
        yield _refusal("java", why)
    else:
        yield ok("java", f"{program}, version {version}")


def _refusal(subject, why):
    """An error whose remedy is the last clause of the refusal."""
    text, _, remedy = str(why).rpartition(": ")
    return error(subject, text, remedy)


def python(env, conf):
    program = env.get("PYSPARK_PYTHON") or conf["python"]
    match = re.search(r"Python (\d+)\.(\d+)", _said(program, "--version"))
    if not match:
        yield warning("python", f"{program} doesn't work", "PySpark needs it: set python in site.conf")
    elif (int(match.group(1)), int(match.group(2))) < (3, 8):
        yield warning("python", f"{program} is of version {match.group(1)}.{match.group(2)}",
                      "PySpark 3.5 needs 3.8 or newer: set python in site.conf")
    else:
        yield ok("python", f"{program}, version {match.group(1)}.{match.group(2)}")


def _said(*command):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True, check=False)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def patch(home):
    """Checks that the jar has the classes that the weaver wrote, byte for byte."""
    remedy = "install it again from the archive"
    jars = [name for name in os.listdir(os.path.join(home, "jars"))
            if name.startswith("spark-core_")] if os.path.isdir(os.path.join(home, "jars")) else []
    if len(jars) != 1:
        yield error("patch", f"{home}/jars has {len(jars)} spark-core jars, not one", remedy)
        return
    path = os.path.join(home, "jars", jars[0])
    try:
        with zipfile.ZipFile(path) as jar:
            wanted = _hashes(jar.read(MANIFEST).decode("utf-8"))
            wrong = [name for name, digest in wanted.items()
                     if hashlib.sha256(jar.read(name)).hexdigest() != digest]
    except (KeyError, zipfile.BadZipFile, OSError) as why:
        yield error("patch", f"{path} isn't a patched Spark: {why}", remedy)
        return
    if wrong:
        yield error("patch", f"{path}: {len(wrong)} of {len(wanted)} classes aren't as the manifest "
                    f"says, such as {wrong[0]}", remedy)
    else:
        yield ok("patch", f"{jars[0]}: {len(wanted)} classes are as its manifest says")


def _hashes(manifest):
    """{name: SHA-256} of Spark-HPC's classes and of the classes of Spark that call them."""
    lines = [line.split() for line in manifest.splitlines()]
    return {words[1]: words[-1] for words in lines if words[:1] in (["own"], ["class"])}


def run_place(env, conf):
    try:
        place = run_directory.parent(conf, env)
    except Refused as why:
        yield _refusal("run", why)
        return
    kind, type_ = file_systems.kind(place)
    if kind == "shared":
        yield ok("run", f"{place}: shared ({type_})")
    else:
        yield warning("run", f"{place}: {kind} ({type_})", "a cluster of several nodes needs a place "
                      "that all of them see: set run.directory")


def limits():
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files != resource.RLIM_INFINITY and files < FEW_FILES:
        yield warning("limits", f"a process may open {files} files", "raise the hard limit "
                      f"(nofile) to {FEW_FILES} or more")
    else:
        yield ok("limits", f"open files: {_limit(files)}")
    processes, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    if processes != resource.RLIM_INFINITY and processes < FEW_PROCESSES:
        yield warning("limits", f"a user may have {processes} processes and threads",
                      f"raise the limit (nproc) to {FEW_PROCESSES} or more")
    else:
        yield ok("limits", f"processes: {_limit(processes)}")
    space, _ = resource.getrlimit(resource.RLIMIT_AS)
    if space != resource.RLIM_INFINITY:
        yield warning("limits", f"address space: {space // MB} MB", "a JVM reserves more than it uses: "
                      "ulimit -v unlimited")


def _limit(number):
    return "no limit" if number == resource.RLIM_INFINITY else str(number)


def memory():
    whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    limit = cgroup.memory_limit()
    text = f"{len(os.sched_getaffinity(0))} cores, {whole // MB} MB"
    yield ok("node", text + (f", of which the control group allows {limit // MB}" if limit else ""))


def network(env, conf):
    is_alone = type(current(env, conf)) not in BATCH
    try:
        yield ok("network", f"{interfaces.address(conf, is_alone)} by {', '.join(conf['network.interfaces'])}")
    except Refused as why:
        yield error("network", str(why), "set network.interfaces")


def scheduler(env, conf):
    found = current(env, conf)
    if type(found) in BATCH:
        missing = [name for name in found.programs if not shutil.which(name, path=env.get("PATH"))]
        if missing:
            yield error("scheduler", f"in a job of {found.title}, but without {', '.join(missing)}",
                        f"put {found.title}'s commands on PATH")
            return
        try:
            yield ok("scheduler", f"job {found.job.id} of {found.title} on {len(found.nodes())} nodes")
        except Refused as why:
            yield error("scheduler", str(why), "run this in the job's own shell or script")
        return
    does, why = policy(env, conf)
    if does == "refuse":
        yield warning("scheduler", f"not in a job, and {why} (login.policy = {conf['login.policy']})",
                      "spark-hpc start works after sbatch or salloc")
    else:
        yield ok("scheduler", f"not in a job; login.policy = {conf['login.policy']}: {does}")
