"""The scratch directories of a cluster on one node, and the one that all its nodes share: made with names
that nobody can foresee, known by these afterwards, and swept when their job is dead."""

import os
import re
import shutil
import stat
import tempfile

from spark_hpc import absent, exposure, file_systems, site_conf
from spark_hpc.schedulers import Job, in_file_names

_NAME = re.compile(r"spark-hpc-(\d+)-([^-]+)-([^-]+)-([^-]+)-([^-]+)-[^-]+\Z")
# Stands where the node's name does; no node's has such a letter.
_ALL_NODES = "@all"


def _roots(conf, env, *keys):
    paths = (site_conf.expand(tier, env) for key in keys for tier in conf[key])
    return list(dict.fromkeys(path for path in paths if path))


def make(conf, env, job, node):
    """(the directory for Spark's own files, [those of its other tiers]): one in each of scratch.tiers that
    can be used on this node, but in each file system only once."""
    roots = _roots(conf, env, "scratch.tiers")
    made, why = {}, []
    for root in roots:
        try:
            device = os.stat(root).st_dev
            if device not in made:
                made[device] = make_in(root, job, node)
        except OSError as failure:
            why.append(f"{failure.filename or root}: {failure.strerror}")
    if made:
        own = home(made.values())
        return own, [path for path in made.values() if path != own]
    raise conf.refusal("scratch.tiers", f"on {node} none of {', '.join(roots)} can be used: name "
                       f"a directory that exists on all nodes ({'; '.join(why)})")


def home(paths):
    """Where Spark's own files go, which can't move on: the first on a disk, otherwise in memory, otherwise
    of all."""
    order = ["local", "memory", "shared"]
    return min(paths, key=lambda path: order.index(file_systems.kind(path)[0]))


def shared_root(conf, env):
    """shuffle.directory on this node, without its stripes; None if its variable isn't set."""
    place, _stripes = conf["shuffle.directory"]
    return site_conf.expand(place, env)


def make_shared(conf, env, job):
    """In shuffle.directory, for all nodes of the job; None where that can't be."""
    root = shared_root(conf, env)
    if root and not conf.is_default("shuffle.directory"):
        absent.check(conf, "shuffle.directory", root)
    try:
        return root and make_in(root, job, _ALL_NODES)
    except OSError:
        return None


def make_in(root, job, node):
    exposure.check(root)
    parts = [str(os.getuid()), *map(in_file_names, job), in_file_names(node)]
    return tempfile.mkdtemp(prefix="-".join(["spark-hpc", *parts, ""]), dir=root)


def remove(path):
    """True when it is gone; what a program made unreadable doesn't stop that. Whatever is above it stays as it
    is, also when it can't be removed: it may be the user's own directory, or everybody's."""
    def open_up(_function, name, _why):
        try:
            if name != path:
                _let_in(os.path.dirname(name))
            if os.path.isdir(name) and not os.path.islink(name):
                _let_in(name)
                shutil.rmtree(name, ignore_errors=True)
            else:
                os.unlink(name)
        except OSError:
            pass
    shutil.rmtree(path, onerror=open_up)
    return not os.path.lexists(path)


def _let_in(directory):
    os.chmod(directory, stat.S_IMODE(os.lstat(directory).st_mode) | stat.S_IRWXU)


def _leftovers(roots):
    """(path, Job, node) of all that this user has there, as its names say: hyphens in names have become
    underscores."""
    for root in roots:
        try:
            names = sorted(os.listdir(root))
        except OSError:
            continue
        for name in names:
            match = _NAME.match(name)
            if match and int(match.group(1)) == os.getuid():
                yield os.path.join(root, name), Job(*match.groups()[1:4]), match.group(5)


def _ours(path):
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()


def sweep(conf, env, live, own=None):
    """Removes what dead jobs left on this node, scratch and staged copies; `own` is (Job, node) of a cluster
    that is only just about to start. Answers with the paths."""
    return _sweep(_roots(conf, env, "scratch.tiers", "stage.tiers"), live, own)


def sweep_shared(conf, env, live, job=None):
    """The same for what all nodes share; `job` has no cluster now."""
    root = shared_root(conf, env)
    return _sweep([root] if root else [], live, job and (job, _ALL_NODES))


def _sweep(roots, live, own):
    removed = []
    for path, job, node in _leftovers(roots):
        mine = own and (job, node) == (Job(*map(in_file_names, own[0])), in_file_names(own[1]))
        # A request for each node of a live job would be as many as nodes squared, when all of them start.
        if (mine or live.ended(job)) and _ours(path) and remove(path):
            removed.append(path)
    return removed
