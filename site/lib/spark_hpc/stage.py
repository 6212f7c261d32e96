"""Copies of the distribution, and of a Python environment, in the memory or on a disk of each node, so that
Spark's many small reads at start-up don't go to a shared file system. From there, each node reads only one
file for each copy: an archive that start packs into the job's directory, and removes when all nodes have it.

    COPY/dist      the distribution
    COPY/python    the environment, of venv or conda; both find their parts relative to themselves

COPY has the name of a scratch directory and is swept like one.
"""

import os
import subprocess

from spark_hpc import file_systems, scratch, site_conf
from spark_hpc.refused import Refused
from spark_hpc.sizing import MB

DISTRIBUTION = "dist"
PYTHON = "python"


def check_python(path):
    """The absolute path of the environment; refused if it has no bin/python3."""
    path = os.path.abspath(path)
    if not os.access(os.path.join(path, "bin", "python3"), os.X_OK):
        raise Refused(f"--stage-python {path}: it has no bin/python3: name a venv or a conda "
                      "environment")
    return path


def pack(source, directory, name):
    archive = os.path.join(directory, f"{name}.tar")
    # In a copy, the link to the site's settings would be broken; nothing reads them there.
    _tar("--create", "--exclude=./conf/site.conf", f"--file={archive}", f"--directory={source}", ".")


def unpack(conf, env, job, node, archives):
    """Unpacks every archive of that directory on this node; returns the copy, and how much memory it takes."""
    paths = [os.path.join(archives, name) for name in sorted(os.listdir(archives))]
    size = sum(os.path.getsize(path) for path in paths)
    root = _root(conf, env, size)
    copy = scratch.make_in(root, job, node)
    try:
        for path in paths:
            part = os.path.join(copy, os.path.splitext(os.path.basename(path))[0])
            os.mkdir(part, 0o700)
            _tar("--extract", f"--file={path}", f"--directory={part}")
    except BaseException:
        scratch.remove(copy)
        raise
    return copy, size if file_systems.kind(root)[0] == "memory" else 0


def own_directory(directory, conf, env, job, node):
    """`directory`; or, if that is on a shared file system, one in stage.tiers, if one of these is this node's own."""
    if file_systems.kind(directory)[0] != "shared":
        return directory
    try:
        return scratch.make_in(_root(conf, env, 0), job, node)
    except (OSError, Refused):
        return directory


def _root(conf, env, size):
    """The first of stage.tiers that is this node's own, has room, and lets programs run."""
    why = []
    for tier in conf["stage.tiers"]:
        path = site_conf.expand(tier, env)
        if path is None or not os.access(path, os.W_OK | os.X_OK):
            continue
        room = os.statvfs(path)
        if file_systems.kind(path)[0] == "shared":
            why.append(f"{path} is shared")
        elif room.f_flag & os.ST_NOEXEC:
            why.append(f"{path} runs no programs (noexec)")
        elif room.f_bavail * room.f_frsize < size:
            why.append(f"{path} lacks room for {size // MB} MB")
        else:
            return path
    raise conf.refusal("stage.tiers", f"none will do ({'; '.join(why) or 'none can be written'}): name "
                       "a disk or the memory of the node")


def home(copy, otherwise):
    """The distribution to run: the copy's, if it has one."""
    path = os.path.join(copy or "", DISTRIBUTION)
    return path if copy and os.path.isdir(path) else otherwise


def environment(env, original, copy):
    """`env` with the copy in place of the original."""
    changed = dict(env)
    if copy and "PYTHONPATH" in env:
        changed["PYTHONPATH"] = ":".join(_moved(os.path.realpath(place), original, home(copy, original))
                                         for place in env["PYTHONPATH"].split(":") if place)
    python = os.path.join(copy or "", PYTHON, "bin")
    if copy and os.path.isdir(python):
        # By name, because its path differs on each node.
        changed.update(PATH=f"{python}:{env.get('PATH', '')}", PYSPARK_PYTHON="python3")
    return changed


def _moved(path, original, new):
    return new + path[len(original):] if path.startswith(original + "/") else path


def _tar(*arguments):
    done = subprocess.run(["tar", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True, check=False)
    if done.returncode != 0:
        last = (done.stdout.strip().splitlines() or ["no message"])[-1]
        raise Refused(f"tar {' '.join(arguments)} failed: {last}")
