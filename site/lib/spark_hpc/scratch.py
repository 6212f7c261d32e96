"""The scratch directories of a cluster on one node, and the one that all its nodes share. Their names can't
be predicted, but show to which job they belong, so that they are swept when the job is dead."""

import os
import re
import shutil
import stat
import tempfile

from spark_hpc import absent, exposure, file_systems, site_conf
from spark_hpc.schedulers import Job, in_file_names

_NAME = re.compile(r"spark-hpc-(\d+)-([^-]+)-([^-]+)-([^-]+)-([^-]+)-[^-]+\Z")
# Takes the place of the node's name; no node's name has an @.
_ALL_NODES = "@all"


def _roots(conf, env, *keys):
    paths = (site_conf.expand(tier, env) for key in keys for tier in conf[key])
    return list(dict.fromkeys(path for path in paths if path))


def make(conf, env, job, node):
    """(the directory for Spark's own files, [directories of its other tiers]): makes one in each directory of
    scratch.tiers that can be used on this node, but only one in each file system."""
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
    """The path for Spark's own files, which can't move to another tier later: the first on a disk, otherwise
    the first in memory, otherwise the first of all."""
    order = ["local", "memory", "shared"]
    return min(paths, key=lambda path: order.index(file_systems.kind(path)[0]))


def shared_root(conf, env):
    """shuffle.directory on this node, without its stripes; None if its variable isn't set."""
    place, _stripes = conf["shuffle.directory"]
    return site_conf.expand(place, env)


def make_shared(conf, env, job):
    """Makes the directory in shuffle.directory for all nodes of the job; None where that isn't possible."""
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
    """Removes the tree, even what a program made inaccessible; True if it is gone. Permissions above `path`
    aren't changed, even if it can't be removed: its parent may be the user's own directory, or everybody's."""
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
    """(path, Job, node) of each scratch directory of this user, from its name, in which hyphens have become
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
    """Removes scratch and staged copies that dead jobs left on this node, and returns their paths. `own` is
    (Job, node) of a cluster that is about to start, whose leftovers are removed too."""
    return _sweep(_roots(conf, env, "scratch.tiers", "stage.tiers"), live, own)


def sweep_shared(conf, env, live, job=None):
    """The same for shuffle.directory; `job` has no cluster now, so its leftovers are removed too."""
    root = shared_root(conf, env)
    return _sweep([root] if root else [], live, job and (job, _ALL_NODES))


def _sweep(roots, live, own):
    removed = []
    for path, job, node in _leftovers(roots):
        mine = own and (job, node) == (Job(*map(in_file_names, own[0])), in_file_names(own[1]))
        # _ours queries the file system, so it comes after: when all nodes of a live job start, each would query
        # the directories of all the others.
        if (mine or live.ended(job)) and _ours(path) and remove(path):
            removed.append(path)
    return removed
