"""Counters that can only grow, as what they grew by since the last reset."""

import fcntl
import json


class Counters:
    """Kept in a file: one {name: count} per node, as it was at the reset."""

    def __init__(self, path):
        self._path = path

    def reset(self, now):
        with open(self._path, "a+", encoding="utf-8") as f:
            fcntl.flock(f, fcntl.LOCK_EX)
            _write(f, now)

    def since(self, read, of_reading=None):
        """What read() gives less what it was at the reset, zeros left out. `of_reading` is what one
        reading adds itself: it never counts."""
        with open(self._path, "r+", encoding="utf-8") as f:
            fcntl.flock(f, fcntl.LOCK_EX)
            zero = json.load(f)
            for node in zero:
                for name, own in (of_reading or {}).items():
                    node[name] = node.get(name, 0) + own
            now = read()
            _write(f, zero)
        return [{name: count - start.get(name, 0) for name, count in node.items()
                 if count != start.get(name, 0)} for node, start in zip(now, zero)]


def _write(f, values):
    f.seek(0)
    f.truncate()
    json.dump(values, f)
