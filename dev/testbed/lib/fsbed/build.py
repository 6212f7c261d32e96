"""Builds the C programs of the kinds if they are older than their sources."""

import fcntl
import os
import subprocess
import zlib

from fsbed.refused import Refused

TESTBED = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))


def program(directory, name):
    """Returns the path of program `name`, built from dev/testbed/DIRECTORY."""
    source = os.path.join(TESTBED, directory)
    cache = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache"))
    # Each checkout has its own place, since checkouts with different sources would overwrite each other's programs.
    checkout = f"spark-hpc-testbed-{zlib.crc32(TESTBED.encode()):08x}"
    top = os.environ.get("TESTBED_BUILD", os.path.join(cache, checkout))
    build = os.path.join(top, directory)
    os.makedirs(build, exist_ok=True)
    with open(os.path.join(build, "lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run(["make", "-C", source, f"BUILD={build}"], capture_output=True,
                              text=True, check=False)
    if made.returncode != 0:
        raise Refused("it doesn't build:\n" + made.stderr)
    return os.path.join(build, name)
