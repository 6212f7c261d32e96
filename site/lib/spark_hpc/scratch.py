"""The scratch directory of a cluster on one node: made with a name that nobody can foresee, known by
that name afterwards, and swept when its job is dead."""

import os
import re
import shutil
import stat
import tempfile

from spark_hpc import site_conf
from spark_hpc.schedulers import Job, in_file_names

_NAME = re.compile(r"spark-hpc-(\d+)-([^-]+)-([^-]+)-([^-]+)-([^-]+)-[^-]+\Z")


def _roots(conf, env, *keys):
    paths = (site_conf.expand(tier, env) for key in keys for tier in conf[key])
    return list(dict.fromkeys(path for path in paths if path))


def make(conf, env, job, node):
    """In the first tier that can be written on this node."""
    roots = _roots(conf, env, "scratch.tiers")
    for root in roots:
        try:
            return make_in(root, job, node)
        except OSError:
            continue
    raise conf.refusal("scratch.tiers", f"on {node} none of {', '.join(roots)} can be written: name "
                       "a directory that exists on all nodes")


def make_in(root, job, node):
    parts = [str(os.getuid()), *map(in_file_names, job), in_file_names(node)]
    return tempfile.mkdtemp(prefix="-".join(["spark-hpc", *parts, ""]), dir=root)


def remove(path):
    """True when it is gone; what a program made unreadable doesn't stop that."""
    def open_up(_function, name, _why):
        try:
            os.chmod(os.path.dirname(name), 0o700)
            if os.path.isdir(name) and not os.path.islink(name):
                os.chmod(name, 0o700)
                shutil.rmtree(name, ignore_errors=True)
            else:
                os.unlink(name)
        except OSError:
            pass
    shutil.rmtree(path, onerror=open_up)
    return not os.path.lexists(path)


def leftovers(conf, env):
    """(path, Job, node) of all scratch directories and staged copies of this user on this node, as
    their names say: hyphens in names have become underscores."""
    for root in _roots(conf, env, "scratch.tiers", "stage.tiers"):
        try:
            names = sorted(os.listdir(root))
        except OSError:
            continue
        for name in names:
            match = _NAME.match(name)
            path = os.path.join(root, name)
            if match and int(match.group(1)) == os.getuid() and _ours(path):
                yield path, Job(*match.groups()[1:4]), match.group(5)


def _ours(path):
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()


def sweep(conf, env, live, own=None):
    """Removes what dead jobs left on this node; `own` is (Job, node) of a cluster that is only just
    about to start. Answers with the paths."""
    removed = []
    for path, job, node in leftovers(conf, env):
        mine = own and (job, node) == (Job(*map(in_file_names, own[0])), in_file_names(own[1]))
        if (mine or live.ended(job)) and remove(path):
            removed.append(path)
    return removed
