"""Which files of a directory with Spark-HPC belong to the distribution, and how they are copied. Other files
of a directory in use, such as logs, work/ and other people's settings, aren't copied."""

import os
import shutil
import time

from spark_hpc.sizing import MB

# The names that dev/make-distribution.sh makes; a test compares them with dist/.
NAMES = ("CHANGELOG.md", "LICENSE", "NOTICE", "README.md", "RELEASE", "agent", "bin", "bom.cdx.json", "conf", "docs",
         "examples", "jars", "licenses", "patch", "python", "sbin", "site")
_SETTINGS = "spark-defaults.conf"
_SECONDS = 5  # between lines of progress


def is_shipped(name):
    """Whether this path, relative to the distribution, belongs to it."""
    first, *rest = name.split(os.sep)
    if "__pycache__" in rest:
        return False
    if first == "conf" and rest:
        return rest == [_SETTINGS] or name.endswith(".template")
    return first in NAMES


def left_out(home):
    """The other names in `home`, as paths relative to it."""
    names = sorted(os.listdir(home)) + [os.path.join("conf", name)
                                        for name in sorted(os.listdir(os.path.join(home, "conf")))]
    # Each installation has these of its own.
    own = ("class-data", os.path.join("conf", "site.conf"))
    return [name for name in names if not is_shipped(name) and name not in own]


def copy(home, new, say):
    """Copies the distribution, and reports progress from time to time."""
    progress = _Progress(sum(_size(path) for path in _files(home)), say)

    def copy_one(source, target, **named):
        shutil.copy2(source, target, **named)
        progress.add(_size(source))
        return target

    def others(directory, names):
        inside = os.path.relpath(directory, home)
        return [name for name in names if not is_shipped(os.path.normpath(os.path.join(inside, name)))]

    shutil.copytree(home, new, symlinks=True, ignore=others, copy_function=copy_one)


def _files(home):
    for directory, directories, names in os.walk(home):
        inside = os.path.relpath(directory, home)
        directories[:] = [name for name in directories
                          if is_shipped(os.path.normpath(os.path.join(inside, name)))]
        for name in names:
            if is_shipped(os.path.normpath(os.path.join(inside, name))):
                yield os.path.join(directory, name)


def _size(path):
    return os.lstat(path).st_size


class _Progress:
    def __init__(self, whole, say):
        self._whole = whole
        self._say = say
        self._done = 0
        self._said = time.monotonic()
        say(f"copying   {whole // MB} MB")

    def add(self, size):
        self._done += size
        now = time.monotonic()
        if now - self._said >= _SECONDS:
            self._said = now
            self._say(f"copied    {self._done // MB} of {self._whole // MB} MB")
