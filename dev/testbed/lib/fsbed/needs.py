"""What this machine lacks for a kind of file system, each in one line that says the remedy."""

import os
import shutil
import subprocess


def root():
    return None if os.geteuid() == 0 else "root is needed to mount: run it with sudo"


def fuse_device():
    if os.access("/dev/fuse", os.R_OK | os.W_OK):
        return None
    return "/dev/fuse is missing: modprobe fuse, or start the container with --device /dev/fuse"


def program(name, package):
    return None if shutil.which(name) else f"{name} is missing: apt-get install {package}"


def fuse_library():
    if shutil.which("pkg-config"):
        check = subprocess.run(["pkg-config", "--atleast-version=3.12", "fuse3"], check=False)
        if check.returncode == 0:
            return None
    return "libfuse 3.12 or newer is missing: apt-get install libfuse3-dev pkg-config"


def first(*checks):
    """The first thing that is missing, or None."""
    return next((why for why in checks if why), None)
