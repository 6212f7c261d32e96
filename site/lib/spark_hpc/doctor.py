"""spark-hpc doctor: what on this node would keep Spark from running well, with the remedy."""

import collections
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import zipfile

from spark_hpc import cgroup, exposure, file_systems, interfaces, run_directory, site_conf, tier
from spark_hpc import scratch as directories
from spark_hpc.refused import Refused
from spark_hpc.schedulers.choice import BATCH, current
from spark_hpc.sizing import MB

MANIFEST = "META-INF/spark-hpc/weave.manifest"
FEW_FILES = 4096
FEW_PROCESSES = 4096

# `level` is ok, warning or error; a remedy goes with the last two. `details` are for --json.
Finding = collections.namedtuple("Finding", "subject level text remedy details")


def ok(subject, text, details=None):
    return Finding(subject, "ok", text, None, details)


def warning(subject, text, remedy, details=None):
    return Finding(subject, "warning", text, remedy, details)


def error(subject, text, remedy):
    return Finding(subject, "error", text, remedy, None)


def examine(home, env, conf):
    """All findings."""
    return [*java(env, conf), *python(env, conf), *patch(home), *scratch(env, conf),
            *shuffle_place(env, conf), *other_places(env, conf), *run_place(env, conf),
            *limits(), *memory(), *network(conf), *scheduler(env, conf)]


def report(findings, as_json):
    """Prints them; the exit code is 1 when one is an error."""
    if as_json:
        print(json.dumps([finding._asdict() for finding in findings], indent=1))
    else:
        for finding in findings:
            remedy = f": {finding.remedy}" if finding.remedy else ""
            print(f"{finding.level:8} {finding.subject:10} {finding.text}{remedy}")
    return 1 if any(finding.level == "error" for finding in findings) else 0


def java(env, conf):
    place = conf["java.home"] or env.get("JAVA_HOME")
    program = os.path.join(place, "bin", "java") if place else "java"
    said = _said(program, "-version")
    match = re.search(r'version "(?:1\.)?(\d+)([^"]*)"', said)
    if not match:
        yield error("java", f"{program} doesn't work", "set java.home in site.conf, or load a module")
    elif match.group(1) not in ("8", "11", "17"):
        yield error("java", f"{program} is of version {match.group(1)}",
                    "Spark 3.5 runs on 8, 11 and 17: set java.home in site.conf")
    else:
        yield ok("java", f"{program}, version {match.group(1)}{match.group(2)}")


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
    """Whether the jar holds what the weaver wrote, byte for byte."""
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
    """{name: SHA-256} of our classes and of those of Spark's that call them."""
    lines = [line.split() for line in manifest.splitlines()]
    return {words[1]: words[-1] for words in lines if words[:1] in (["own"], ["class"])}


def scratch(env, conf):
    tiers = {}
    for setting in conf["scratch.tiers"]:
        path = site_conf.expand(setting, env)
        if path is None or not os.path.isdir(path):
            yield ok("scratch", f"{setting} isn't there, and passed over")
            continue
        refusal = exposure.refusal(path)
        if refusal:
            yield warning("scratch", f"{path} isn't used: {refusal}", exposure.REMEDY)
            continue
        try:
            tiers[path] = tier.examine(path)
        except OSError as why:
            yield warning("scratch", f"{path} can't be written: {why.strerror}",
                          "take it out of scratch.tiers")
    if not tiers:
        yield error("scratch", "no tier can be used", "set scratch.tiers in site.conf")
        return
    home = directories.home(tiers)
    first = {}
    for path, found in tiers.items():
        same = first.setdefault(os.stat(path).st_dev, path)
        role = ("Spark's own files go here" if path == home else "a tier" if path == same
                else f"passed over, since {same} is on the same file system")
        text = f"{tier.text(path, found)}; {role}"
        if path == home and found["kind"] == "shared":
            yield warning("scratch", text, "every file opened there is a request to a server: add a "
                          "disk of the node, or memory, to scratch.tiers", found)
        else:
            yield ok("scratch", text, found)
        if not found["locks"]:
            yield unlocked("scratch", path)


def unlocked(subject, path):
    return warning(subject, f"files in {path} can't be locked: what killed executors leave there is never "
                   "removed", "mount it with locks (Lustre: -o flock), or remove directories spark-hpc-* of "
                   "dead jobs yourself")


def shuffle_place(env, conf):
    path = directories.shared_root(conf, env)
    if path is None:
        yield ok("shuffle", f"{conf['shuffle.directory'][0]} isn't set, and passed over")
        return
    kind, type_ = file_systems.kind(path)
    remedy = "programs with spark.hpc.shuffle.placement=global need a place there that all nodes see: set " \
             "shuffle.directory"
    refusal = exposure.refusal(path)
    if not os.access(path, os.W_OK | os.X_OK):
        yield warning("shuffle", f"{path} can't be written", remedy)
    elif refusal:
        yield warning("shuffle", f"{path} isn't used: {refusal}", exposure.REMEDY)
    elif kind != "shared":
        yield warning("shuffle", f"{path}: {kind} ({type_})", remedy)
    else:
        try:
            has_locks = tier.has_locks(path)
        except OSError as why:
            yield warning("shuffle", f"{path} can't be written: {why.strerror}", remedy)
            return
        yield ok("shuffle", f"{path}: shared ({type_})") if has_locks else unlocked("shuffle", path)


def other_places(env, conf):
    """What else the mount table has, by kind: where scratch.tiers could point."""
    named = {os.path.realpath(path) for path in (site_conf.expand(setting, env)
                                                 for setting in conf["scratch.tiers"]) if path}
    for kind, places in tier.places().items():
        places = [place for place in places if place not in named]
        if places:
            yield ok("mounts", f"{kind}: {', '.join(places)}", {"kind": kind, "places": places})


def run_place(env, conf):
    try:
        place = run_directory.parent(conf, env)
    except Refused as why:
        yield error("run", str(why), "set run.directory")
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


def network(conf):
    try:
        yield ok("network", f"{interfaces.address(conf)} by {', '.join(conf['network.interfaces'])}")
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
    elif conf["login.policy"] == "refuse":
        yield warning("scheduler", "not in a job, and login.policy is refuse",
                      "spark-hpc start works after sbatch or salloc")
    else:
        yield ok("scheduler", f"not in a job; login.policy is {conf['login.policy']}")
