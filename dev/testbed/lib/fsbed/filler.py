"""Takes the room that a real file system has left, and gives it back."""

import errno
import os
import random
import shutil
import time

from fsbed.refused import Refused

_NAME = ".filler"
_LARGE = (8 << 20, 256 << 10)
_SMALLEST = 4 << 10
# New files are spread over servers. If so many in a row are refused, no server has room.
_IN_A_ROW = 20
_PATIENCE = 60  # seconds until deleted files have given back their room


def fill(mount_point):
    """Writes files until the file system refuses each more, even the smallest."""
    directory = os.path.join(mount_point, _NAME)
    os.makedirs(directory, exist_ok=True)
    numbers = iter(range(len(os.listdir(directory)), 1 << 30))

    def refuses(size):
        return not _has_written(os.path.join(directory, str(next(numbers))), size)
    while not all(refuses(_SMALLEST) for _ in range(_IN_A_ROW)):
        for size in _LARGE:
            while _room(mount_point) >= size and not all(refuses(size) for _ in range(_IN_A_ROW)):
                pass
        # A server may report seconds later that its room has changed.
        time.sleep(0.1)


def empty(mount_point):
    """Deletes what fill has written. Returns when there is room again, on all servers."""
    directory = os.path.join(mount_point, _NAME)
    if not os.path.exists(directory):
        return
    shutil.rmtree(directory)
    paths = [os.path.join(mount_point, f"{_NAME}-{n}") for n in range(_IN_A_ROW)]
    deadline = time.monotonic() + _PATIENCE
    # Some servers may have room before others.
    while not all(_has_written(path, _LARGE[-1]) for path in paths):
        if time.monotonic() > deadline:
            raise Refused(f"there is still no room {_PATIENCE} s after {directory} was deleted")
        time.sleep(0.1)
    for path in paths:
        os.unlink(path)


def _room(mount_point):
    state = os.statvfs(mount_point)
    return state.f_bavail * state.f_frsize


def _has_written(path, size):
    """Returns whether there was room for a file of so many bytes. A client may refuse it as late as the file is closed."""
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o644)
        try:
            # Servers keep no zeros.
            data = memoryview(random.randbytes(size))
            while data:
                data = data[os.write(descriptor, data):]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        return True
    except OSError as failed:
        if failed.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        return False
