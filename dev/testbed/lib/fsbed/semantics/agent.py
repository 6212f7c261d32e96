"""Runs on a node: reads operations as lines of JSON, does them in its directory, and answers.

Handles are names of files that stay open between operations. Contents are text only; the checks need no more.
"""

import fcntl
import json
import mmap
import os
import sys
import time


class Agent:
    def __init__(self, directory):
        self.directory = directory
        self.handles = {}
        self.maps = {}

    def _at(self, name):
        return os.path.join(self.directory, name)

    def open(self, handle, name, mode="r"):
        flags = {"r": os.O_RDONLY, "w": os.O_WRONLY | os.O_CREAT | os.O_TRUNC,
                 "a": os.O_WRONLY | os.O_CREAT | os.O_APPEND, "rw": os.O_RDWR | os.O_CREAT,
                 "x": os.O_WRONLY | os.O_CREAT | os.O_EXCL}[mode]
        self.handles[handle] = os.open(self._at(name), flags, 0o644)

    def write(self, handle, text):
        return os.write(self.handles[handle], text.encode())

    def pread(self, handle, size, offset=0):
        return os.pread(self.handles[handle], size, offset).decode()

    def fsync(self, handle):
        os.fsync(self.handles[handle])

    def close(self, handle):
        os.close(self.handles.pop(handle))

    def put(self, name, text):
        self.open("put", name, "w")
        self.write("put", text)
        self.close("put")

    def get(self, name):
        with open(self._at(name), encoding="utf-8") as f:
            return f.read()

    def size(self, name):
        return os.stat(self._at(name)).st_size

    def exists(self, name):
        return os.path.exists(self._at(name))

    def names(self, name="."):
        return sorted(os.listdir(self._at(name)))

    def mkdir(self, name):
        os.mkdir(self._at(name))

    def rename(self, old, new):
        os.rename(self._at(old), self._at(new))

    def unlink(self, name):
        os.unlink(self._at(name))

    def rmtree(self, name):
        for child in os.listdir(self._at(name)):
            os.unlink(os.path.join(self._at(name), child))
        os.rmdir(self._at(name))

    def truncate(self, name, size):
        os.truncate(self._at(name), size)

    def map(self, handle):
        self.maps[handle] = mmap.mmap(self.handles[handle], 0, mmap.MAP_SHARED, mmap.PROT_READ)

    def mapped(self, handle, size):
        return self.maps[handle][:size].decode()

    def unmap(self, handle):
        self.maps.pop(handle).close()

    def flock(self, handle, wait=False):
        fcntl.flock(self.handles[handle], fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))

    def unflock(self, handle):
        fcntl.flock(self.handles[handle], fcntl.LOCK_UN)

    def lockf(self, handle, start, length):
        fcntl.lockf(self.handles[handle], fcntl.LOCK_EX | fcntl.LOCK_NB, length, start)

    def unlockf(self, handle):
        fcntl.lockf(self.handles[handle], fcntl.LOCK_UN)

    def allocate(self, handle, size):
        os.posix_fallocate(self.handles[handle], 0, size)

    def setxattr(self, name, key, value):
        os.setxattr(self._at(name), key, value.encode())

    def getxattr(self, name, key):
        return os.getxattr(self._at(name), key).decode()

    def append_many(self, name, letter, count, length):
        fd = os.open(self._at(name), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        for _ in range(count):
            os.write(fd, (letter * (length - 1) + "\n").encode())
        os.close(fd)

    def mkdir_many(self, prefix, count):
        made = []
        for n in range(count):
            try:
                os.mkdir(self._at(f"{prefix}{n}"))
                made.append(n)
            except FileExistsError:
                pass
        return made

    def replace_many(self, name, count):
        for n in range(count):
            self.put(name + ".new", f"{n:06d}" * 100)
            os.rename(self._at(name + ".new"), self._at(name))

    def read_while(self, name, count):
        """Returns the distinct faults seen while the file is replaced: torn contents or a missing name."""
        faults = set()
        for _ in range(count):
            try:
                text = self.get(name)
                if len(text) != 600 or text != text[:6] * 100:
                    faults.add("torn")
            except FileNotFoundError:
                faults.add("missing")
        return sorted(faults)

    def milliseconds_until(self, name, size, patience=3.0):
        """Returns the time until this node sees the file with that size, through a fresh open."""
        begin = time.monotonic()
        while time.monotonic() - begin < patience:
            try:
                with open(self._at(name), "rb") as f:
                    if len(f.read()) >= size:
                        return (time.monotonic() - begin) * 1000
            except FileNotFoundError:
                pass
        return None


def main():
    agent = Agent(sys.argv[1])
    for line in sys.stdin:
        operation, positional, named = json.loads(line)
        try:
            answer = {"value": getattr(agent, operation)(*positional, **named)}
        except OSError as error:
            answer = {"errno": error.errno}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
