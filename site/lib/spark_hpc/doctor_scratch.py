"""doctor's findings about scratch: each directory of scratch.tiers, the shuffle's directory, and other
directories where scratch could be."""

import os

from spark_hpc import absent, exposure, file_systems, memory_tier, places, scratch, site_conf, tier
from spark_hpc.findings import error, ok, warning
from spark_hpc.refused import Refused
from spark_hpc.sizing import MB

_HOME = "Spark's own files go here"


def examine(env, conf):
    return [*tiers(env, conf), *shuffle_place(env, conf), *other_places(env, conf)]


def tiers(env, conf):
    found = {}
    for setting in conf["scratch.tiers"]:
        path = site_conf.expand(setting, env)
        if path is None or not os.path.isdir(path):
            yield _absent(setting, path)
            continue
        refusal = exposure.refusal(path)
        if refusal:
            yield warning("scratch", f"{path} isn't used: {refusal}", exposure.REMEDY)
            continue
        try:
            found[path] = tier.examine(path)
        except OSError as why:
            yield warning("scratch", f"{path} can't be written: {why.strerror}",
                          "take it out of scratch.tiers")
    if not found:
        yield error("scratch", "no tier can be used", "set scratch.tiers in site.conf")
        return
    home = scratch.home(found)
    first = {}
    for path, details in found.items():
        same = first.setdefault(os.stat(path).st_dev, path)
        if path not in (same, home):
            yield ok("scratch", f"{tier.text(path, details)}; passed over, since {same} is on the same file "
                     "system", details)
        elif details["kind"] == "memory":
            yield in_memory(path, details, path == home, env, conf)
        elif path == home and details["kind"] == "shared":
            yield warning("scratch", f"{tier.text(path, details)}; {_HOME}", "every file opened there is a "
                          "request to a server: add a disk of the node, or memory, to scratch.tiers", details)
        else:
            yield ok("scratch", f"{tier.text(path, details)}; {_HOME if path == home else 'a tier'}", details)
        if not details["locks"]:
            yield unlocked("scratch", path)


def _absent(setting, path):
    gone = path and absent.parent(path)
    if gone:
        return warning("scratch", f"{setting} isn't there, nor is {gone}", "correct it, or take it out of "
                       "scratch.tiers")
    return ok("scratch", f"{setting} isn't there, and passed over")


def in_memory(path, details, is_home, env, conf):
    text = tier.text(path, details)
    place = memory_tier.this_place(env, conf)
    try:
        files = memory_tier.of_place(place, conf)
    except Refused as why:
        return warning("scratch", f"{text}; whether executors use it isn't known, since none starts here",
                       str(why), details)
    most = min(files.share * files.executors, details["free"])
    each = f"{files.share // MB} MB of memory for files of each executor"
    if files.share >= memory_tier.LEAST:
        return ok("scratch", f"{text}; {_HOME if is_home else 'a tier'}, at most {most // MB} MB: heaps leave "
                  f"{each}", details)
    role = f"{_HOME}, though" if is_home else "no tier:"
    return warning("scratch", f"{text}; {role} heaps leave {each}, and {memory_tier.LEAST // MB} MB are needed",
                   memory_tier.remedy(place, conf), details)


def unlocked(subject, path):
    return warning(subject, f"files in {path} can't be locked: what killed executors leave there is never "
                   "removed", "mount it with locks (Lustre: -o flock), or remove directories spark-hpc-* of "
                   "dead jobs yourself")


def shuffle_place(env, conf):
    path = scratch.shared_root(conf, env)
    if path is None:
        yield ok("shuffle", f"{conf['shuffle.directory'][0]} isn't set, and passed over")
        return
    kind, type_ = file_systems.kind(path)
    remedy = "programs with spark.hpc.shuffle.placement=global need a place there that all nodes see: set " \
             "shuffle.directory"
    refusal = exposure.refusal(path)
    gone = absent.parent(path)
    if gone:
        yield warning("shuffle", f"{path} isn't there, nor is {gone}", remedy)
    elif not os.access(path, os.W_OK | os.X_OK):
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
    """Other directories of the mount table that scratch.tiers could name, by kind."""
    named = {os.path.realpath(path) for path in (site_conf.expand(setting, env)
                                                 for setting in conf["scratch.tiers"]) if path}
    for kind, there in places.places().items():
        there = [place for place in there if place not in named]
        if there:
            yield ok("mounts", f"{kind}: {', '.join(there)}", {"kind": kind, "places": there})


