"""Turns counters that can only grow into counts since the last reset."""

import fcntl
import json


class Counters:
    """Keeps a file with one {name: count} per node, as it was at the reset."""

    def __init__(self, path):
        self._path = path

    def reset(self, now):
        with open(self._path, "a+", encoding="utf-8") as f:
            fcntl.flock(f, fcntl.LOCK_EX)
            _write(f, now)

    def since(self, read, of_reading=None):
        """Returns the counts of read() minus those at the reset, without zeros. `of_reading` is what one
        reading adds itself; it never counts."""
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
