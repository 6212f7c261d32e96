"""The memory and processor limits of this process's control groups, in version 1, in version 2, or where both
are mounted."""

import os

_NO_LIMIT = 1 << 60  # version 1 reports "no limit" as a number near 2^63


def memory_limit(proc="/proc/self/cgroup", root="/sys/fs/cgroup"):
    """The limit in bytes, or None if there is no limit."""
    limits = [_number(os.path.join(directory, name))
              for directory, name in _files(proc, root, "memory", "memory.limit_in_bytes",
                                            "memory.max")]
    limits = [limit for limit in limits if limit is not None and limit < _NO_LIMIT]
    return min(limits) if limits else None


def processor_limit(proc="/proc/self/cgroup", root="/sys/fs/cgroup"):
    """The limit in processors, as a fraction if need be, or None if there is no limit."""
    limits = []
    for directory, name in _files(proc, root, "cpu", "cpu.cfs_quota_us", "cpu.max"):
        if name == "cpu.max":
            words = _read(os.path.join(directory, name)).split()
            quota, period = words if len(words) == 2 else ("max", "1")
            quota = None if quota == "max" else int(quota)
        else:
            quota = _number(os.path.join(directory, name))
            period = _number(os.path.join(directory, "cpu.cfs_period_us")) or 0
        if quota and quota > 0 and int(period) > 0:
            limits.append(quota / int(period))
    return min(limits) if limits else None


def _files(proc, root, controller, name1, name2):
    """The directory and name of each file that may hold a limit: those of the process's group and of the
    groups above it."""
    for line in _read(proc).splitlines():
        _, controllers, path = line.split(":", 2)
        if not controllers:
            top, name = _first_directory(root, "unified", ""), name2
        elif controller in controllers.split(","):
            top, name = _first_directory(root, controllers, controller), name1
        else:
            continue
        parts = [part for part in path.split("/") if part]
        for depth in range(len(parts), -1, -1):
            yield os.path.join(top, *parts[:depth]), name


def _first_directory(root, *names):
    return next((path for path in (os.path.join(root, name) for name in names)
                 if os.path.isdir(path)), root)


def _read(path):
    try:
        with open(path, encoding="ascii") as f:
            return f.read()
    except OSError:
        return ""


def _number(path):
    text = _read(path).strip()
    return int(text) if text.lstrip("-").isdigit() else None
