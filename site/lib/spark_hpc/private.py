"""Directories and files that only their user can read, whatever the umask is. The umask isn't changed,
because the files of the user's own programs follow it."""

import os
import stat

from spark_hpc.refused import Refused


def make_directory(path):
    """Makes a new directory; fails if the path exists."""
    os.mkdir(path, 0o700)


def ensure_directory(path):
    """Makes the directory, or accepts one of this user that exists already."""
    try:
        make_directory(path)
    except FileExistsError:
        found = os.lstat(path)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            raise Refused(f"{path} is there, but isn't a directory of yours: remove it, or name "
                          "another place") from None
        if stat.S_IMODE(found.st_mode) & 0o077:
            os.chmod(path, 0o700)


def write(path, text):
    """Writes the file atomically: concurrent readers never see a part of the text."""
    new = f"{path}.{os.getpid()}.new"
    with open_file(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as f:
        f.write(text)
    os.rename(new, path)


def open_file(path, flags):
    return os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8")
