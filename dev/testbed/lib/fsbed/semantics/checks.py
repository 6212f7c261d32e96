"""The checks, each a function of two nodes that returns whether it held and a note.

Our code relies on the `required` checks. The others are only reported, since file systems may differ.
"""

from fsbed.semantics.node import Failed

_CHECKS = []


def check(name, required=True):
    def register(function):
        _CHECKS.append((name, required, function))
        return function
    return register


def run(a, b):
    """Returns [(name, required, holds, note)]; works in a new directory of the shared file system."""
    directory = "semantics-check"
    a.mkdir(directory)
    results = []
    try:
        for n, (name, required, function) in enumerate(_CHECKS):
            try:
                holds, note = function(a, b, f"{directory}/{n}")
            except Failed as error:
                holds, note = False, error.strerror
            results.append((name, required, holds, note))
    finally:
        _sweep(a, directory)
    return results


def run_unshared(a, b):
    """Returns a result like those of run(): no node sees the other's files."""
    name = "semantics-check-own"
    seen = []
    for node, other in ((a, b), (b, a)):
        node.put(name, "own")
        seen.append(other.exists(name))
        node.unlink(name)
    return "each node has its own files, and sees none of the other's", True, not any(seen), ""


def _sweep(a, directory):
    for name in a.names(directory):
        try:
            a.unlink(f"{directory}/{name}")
        except Failed:
            a.rmtree(f"{directory}/{name}")
    a.rmtree(directory)


def _raises(errors, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except Failed as failed:
        return failed.errno in errors
    return False


@check("a closed file is whole on the other node")
def closed_is_visible(a, b, f):
    a.put(f, "whole")
    return b.get(f) == "whole", ""


@check("written, not closed: visible after fsync")
def fsync_is_visible(a, b, f):
    a.open("h", f, "w")
    a.write("h", "x" * 5000)
    a.fsync("h")
    ms = b.milliseconds_until(f, 5000)
    a.close("h")
    return ms is not None, f"after {ms:.1f} ms" if ms is not None else "never"


@check("written, neither closed nor fsynced: visible at once", required=False)
def write_is_visible(a, b, f):
    a.open("h", f, "w")
    a.write("h", "x" * 5000)
    ms = b.milliseconds_until(f, 5000)
    a.close("h")
    return ms is not None and ms < 50, f"after {ms:.1f} ms" if ms is not None else "not in 3 s"


@check("an append shows through a file opened anew")
def reopened_sees_append(a, b, f):
    a.put(f, "one")
    first = b.get(f)
    a.open("h", f, "a")
    a.write("h", "two")
    a.close("h")
    return (first, b.get(f)) == ("one", "onetwo"), ""


@check("an append shows through a descriptor opened before it", required=False)
def descriptor_sees_append(a, b, f):
    a.put(f, "one")
    b.open("h", f)
    b.pread("h", 10)
    a.open("g", f, "a")
    a.write("g", "two")
    a.close("g")
    text = b.pread("h", 10)
    b.close("h")
    return text == "onetwo", ""


@check("rename shows at once, the old name is gone")
def rename_is_visible(a, b, f):
    a.put(f, "x")
    b.get(f)
    a.rename(f, f + "r")
    return b.exists(f + "r") and not b.exists(f), ""


@check("rename over a file that is being read: always old or new, never torn or missing")
def rename_is_atomic(a, b, f):
    a.put(f, "000000" * 100)
    a.send("replace_many", f, 150)
    faults = b.read_while(f, 300)
    a.receive()
    return not faults, ", ".join(faults)


@check("O_APPEND from two nodes at once: no record lost or mixed")
def appends_do_not_mix(a, b, f):
    a.put(f, "")
    for node, letter in ((a, "a"), (b, "b")):
        node.send("append_many", f, letter, 200, 100)
    a.receive()
    b.receive()
    lines = a.get(f).split("\n")[:-1]
    whole = all(line in ("a" * 99, "b" * 99) for line in lines)
    return whole and len(lines) == 400, f"{len(lines)} of 400 records"


@check("mkdir succeeds on one node only")
def mkdir_is_exclusive(a, b, f):
    a.send("mkdir_many", f + "d", 100)
    b.send("mkdir_many", f + "d", 100)
    first, second = a.receive(), b.receive()
    both = set(first) & set(second)
    return not both and len(first) + len(second) == 100, f"{len(first)} and {len(second)}"


@check("O_CREAT with O_EXCL succeeds on one node only")
def create_is_exclusive(a, b, f):
    a.open("h", f, "x")
    held = _raises([17], b.open, "h", f, "x")
    a.close("h")
    return held, ""


@check("an open file stays readable after the other node unlinks it")
def read_after_unlink(a, b, f):
    a.put(f, "still here")
    b.open("h", f)
    a.unlink(f)
    text = b.pread("h", 20)
    b.close("h")
    return text == "still here" and not b.exists(f), ""


@check("an unlinked name is gone on the other node, a new file takes its place")
def name_is_reused(a, b, f):
    a.put(f, "first")
    b.get(f)
    a.unlink(f)
    gone = not b.exists(f)
    a.put(f, "second")
    return gone and b.get(f) == "second", ""


@check("truncate and the new size show on the other node")
def truncate_is_visible(a, b, f):
    a.put(f, "0123456789")
    b.get(f)
    a.truncate(f, 4)
    return (b.size(f), b.get(f)) == (4, "0123"), ""


@check("listing shows the other node's new file")
def listing_is_fresh(a, b, f):
    a.mkdir(f)
    before = b.names(f)
    a.put(f + "/new", "")
    return (before, b.names(f)) == ([], ["new"]), ""


@check("mmap shows what was written and fsynced before mapping")
def mmap_reads(a, b, f):
    a.open("h", f, "w")
    a.write("h", "m" * 8192)
    a.fsync("h")
    b.open("h", f)
    b.map("h")
    text = b.mapped("h", 8192)
    b.unmap("h")
    b.close("h")
    a.close("h")
    return text == "m" * 8192, ""


@check("an existing mapping shows a later write", required=False)
def mmap_follows(a, b, f):
    a.put(f, "old!")
    b.open("h", f)
    b.map("h")
    b.mapped("h", 4)
    a.open("g", f, "rw")
    a.write("g", "new!")
    a.fsync("g")
    a.close("g")
    text = b.mapped("h", 4)
    b.unmap("h")
    b.close("h")
    return text == "new!", ""


@check("flock excludes the other node", required=False)
def flock_excludes(a, b, f):
    a.open("h", f, "rw")
    b.open("h", f, "rw")
    a.flock("h")
    held = _raises([11], b.flock, "h")
    b.send("flock", "h", wait=True)
    a.unflock("h")
    b.receive()
    free = _raises([11], a.flock, "h")
    a.close("h")
    b.close("h")
    return held and free, ""


@check("fcntl locks exclude the other node by range", required=False)
def fcntl_excludes(a, b, f):
    a.open("h", f, "rw")
    b.open("h", f, "rw")
    a.lockf("h", 0, 10)
    held = _raises([11, 13], b.lockf, "h", 5, 10)
    b.lockf("h", 10, 10)
    a.close("h")
    b.lockf("h", 0, 10)
    b.close("h")
    return held, "released by close"


@check("fallocate", required=False)
def fallocate_works(a, b, f):
    a.open("h", f, "rw")
    a.allocate("h", 100000)
    a.close("h")
    return b.size(f) == 100000, ""


@check("user xattrs show on the other node", required=False)
def xattrs_are_shared(a, b, f):
    a.put(f, "")
    a.setxattr(f, "user.test", "value")
    return b.getxattr(f, "user.test") == "value", ""
