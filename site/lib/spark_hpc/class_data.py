"""Class-data archives of an installation: Spark's classes in the JVM's own memory layout. A JVM maps an
archive instead of reading, checking and linking each class.

    HOME/class-data/java                  the Java that made them, as `java -version` prints it
    HOME/class-data/jars.jar              without classes; its class path is all jars of HOME/jars
    HOME/class-data/{small,large}.jsa     for heaps below 32 GB, and for larger ones

A JVM uses an archive only if its class path begins with the names with which the archive was made, and if
those jars still have the same size and time; otherwise it runs without the archive. So the names are relative
to an executor's working directory, three levels below a node's scratch directory, in which LINK leads to the
distribution. The names stay valid in an installation that was moved and in a copy on a node.

Class data is code: each installation has its own, and its users can't write there.
"""

import os
import re
import secrets
import shutil
import subprocess
import tempfile
import zipfile

from spark_hpc import java, private
from spark_hpc.refused import Refused

LINK = "spark"
# As deep below the scratch directory as an executor's working directory: work/APPLICATION/NUMBER.
DIRECTORY = os.path.join("work", "daemons", "all")

_NAME = "class-data"
_VERSIONED = re.compile(r"META-INF/versions/\d+/(.+)\.class")
_FROM_THERE = f"../../../{LINK}"
CLASS_PATH = f"{_FROM_THERE}/{_NAME}/jars.jar"
# From this heap size on, a JVM has longer pointers and needs another archive.
_LARGE = 32 << 30
_SECONDS = 600
# The program whose classes are archived: it runs tasks that shuffle, as every node does.
_PROGRAM = ["hpc.GroupByTest", "--maps", "4", "--reduces", "4", "--pairs-per-map", "1000"]


def make(home, java_home, env, say=lambda text: None):
    """Makes the archives of this installation anew, with the Java found there now; calls `say` when a step
    begins."""
    program, said, _version = java.check(java_home, env)
    directory = tempfile.mkdtemp(prefix="spark-hpc-class-data-")
    say("class data, 1 of 4: Spark's jars are copied to this node")
    try:
        there = _like(home, os.path.join(directory, LINK))
        with open(os.path.join(there, _NAME, "java"), "w", encoding="utf-8") as f:
            f.write(said)
        jars = _jars(there)
        write_class_path(os.path.join(there, _NAME, "jars.jar"), [f"../jars/{name}" for name in jars])
        say("class data, 2 of 4: a program runs, and Java lists the classes that it loads")
        classes = _classes(there, java_home, env)
        inside = os.path.join(there, DIRECTORY)
        for step, name, pointers in ((3, "small", "+"), (4, "large", "-")):
            say(f"class data, {step} of 4: Java makes the archive for {name} heaps")
            _run([program, "-Xshare:dump", f"-XX:{pointers}UseCompressedOops",
                  f"-XX:SharedClassListFile={classes}", "-XX:SharedArchiveFile="
                  f"{_FROM_THERE}/{_NAME}/{name}.jsa", "-cp", CLASS_PATH], env, inside)
        _put(os.path.join(there, _NAME), home)
    finally:
        shutil.rmtree(directory)


def _put(made, home):
    """Replaces the installation's archives. Running processes keep the files that they have mapped."""
    for name in os.listdir(made):
        os.chmod(os.path.join(made, name), 0o644)
    os.chmod(made, 0o755)
    work = tempfile.mkdtemp(prefix=".class-data.", dir=home)
    try:
        new, old = os.path.join(home, _NAME), os.path.join(work, "old")
        shutil.copytree(made, os.path.join(work, _NAME))
        if os.path.isdir(new):
            os.rename(new, old)
        os.rename(os.path.join(work, _NAME), new)
    finally:
        shutil.rmtree(work)


def write_class_path(path, names):
    """Writes a jar without classes, whose class path is `names`, relative to the jar's directory."""
    text = "Class-Path: " + " ".join(names)
    # A line of a manifest has 72 bytes at most; a continuation line begins with a space.
    lines = [text[:72], *(f" {text[at:at + 71]}" for at in range(72, len(text), 71))]
    with zipfile.ZipFile(path, "w") as jar:
        jar.writestr("META-INF/MANIFEST.MF", "\r\n".join(["Manifest-Version: 1.0", *lines, "", ""]))


def write_list(path, lists, jars):
    """Writes to `path` the classes that Java has listed in the files `lists`, each class once.

    A JVM with an agent looks for the bytes of each class again, and JDK 17 crashes if there are none
    (KlassFactory::check_shared_class_file_load_hook). So two kinds of classes are left out: those that a jar
    has for some Java versions only, and those that Java generated for method handles.
    """
    versioned = set()
    for jar in jars:
        with zipfile.ZipFile(jar) as entries:
            found = (_VERSIONED.fullmatch(name) for name in entries.namelist())
            versioned.update(match.group(1) for match in found if match)
    seen = {}
    for each in lists:
        with open(each, encoding="utf-8") as f:
            seen.update((line, None) for line in f if not line.startswith("#"))
    with open(path, "w", encoding="utf-8") as f:
        # A line begins with a class, or with a directive that generates one and the class that requests it.
        f.writelines(line for line in seen if not line.startswith("@lambda-form-invoker")
                     and versioned.isdisjoint(line.split()[:2]))


def is_there(home):
    return os.path.isdir(os.path.join(home, _NAME))


def why_not(home, java_home, env):
    """The reason why this node's processes run without class data; None if they use it."""
    try:
        with open(os.path.join(home, _NAME, "java"), encoding="utf-8") as f:
            made_by = f.read()
        program, said, _version = java.check(java_home, env)
        if said != made_by:
            return f"it was made by another Java than {program}: run hpc-install --class-data with this one"
    except FileNotFoundError:
        return "this installation has none: hpc-install --class-data makes it"
    except Refused as why:
        return str(why)
    return None


def options(heap):
    """JVM options for a working directory that is DIRECTORY or an executor's."""
    name = "small" if heap < _LARGE else "large"
    # The log is off, because an archive that doesn't fit is no error.
    return f"-XX:SharedArchiveFile={_FROM_THERE}/{_NAME}/{name}.jsa -Xshare:auto -Xlog:cds=off"


def _jars(there):
    return sorted(name for name in os.listdir(os.path.join(there, "jars")) if name.endswith(".jar"))


def _like(home, there):
    """Makes a distribution like `home` at `there`, in which executors may write; LINK leads to it from its
    own executors and daemons. Its jars are copies on this node, with the original times: Java queries every
    jar for each of thousands of classes, which is slow on a shared file system."""
    os.makedirs(os.path.join(there, DIRECTORY))
    os.mkdir(os.path.join(there, _NAME))
    os.symlink(".", os.path.join(there, LINK))
    shutil.copytree(os.path.join(home, "jars"), os.path.join(there, "jars"))
    for name in ("RELEASE", "bin", "examples"):
        os.symlink(os.path.join(home, name), os.path.join(there, name))
    os.mkdir(os.path.join(there, "conf"))
    # As in a job, where the processes read no other configuration file.
    private.write(os.path.join(there, "conf", "spark-defaults.conf"),
                  f"spark.authenticate true\nspark.authenticate.secret {secrets.token_hex(32)}\n")
    return there


def _classes(there, java_home, env):
    """Lists the classes that a master, a worker, a driver and an executor load; returns the list's path."""
    lists = {part: os.path.join(there, "work", f"{part}.classes") for part in ("driver", "executor")}
    record = {part: f"-XX:DumpLoadedClassList={path}" for part, path in lists.items()}
    kept = {key: value for key, value in env.items() if not key.startswith("SPARK_")}
    kept.update(SPARK_HOME=there, SPARK_CONF_DIR=os.path.join(there, "conf"), SPARK_ENV_LOADED="1",
                SPARK_LOCAL_IP="127.0.0.1", SPARK_LOCAL_DIRS=os.path.join(there, "work"))
    if java_home:
        kept["JAVA_HOME"] = java_home
    _run([os.path.join(there, "bin", "run-example"), "--master", "local-cluster[1,2,1024]",
          "--driver-class-path", CLASS_PATH, "--driver-java-options", record["driver"],
          "--conf", "spark.ui.port=0",
          "--conf", f"spark.executor.extraClassPath={CLASS_PATH}",
          "--conf", f"spark.executor.defaultJavaOptions={record['executor']}", *_PROGRAM],
         kept, os.path.join(there, DIRECTORY))
    both = os.path.join(there, "work", "all.classes")
    write_list(both, lists.values(), [os.path.join(there, "jars", name) for name in _jars(there)])
    return both


def _run(line, env, directory):
    try:
        done = subprocess.run(line, env=env, cwd=directory, stdin=subprocess.DEVNULL, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                              timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        raise Refused(f"{line[0]} hasn't ended in {_SECONDS} s") from None
    if done.returncode != 0:
        lines = done.stdout.strip().splitlines() or ["it said nothing"]
        said = [text for text in lines if "ERROR" in text or "Exception" in text] or lines
        raise Refused(f"{line[0]} ended with {done.returncode}: {said[-1].strip()}")
