"""Checks what this machine lacks for a kind of file system. Each check returns one line with the remedy, or None."""

import os
import shutil
import subprocess


def root():
    return None if os.geteuid() == 0 else "root is needed to mount: run it with sudo"


def fuse_device():
    if os.access("/dev/fuse", os.R_OK | os.W_OK):
        return None
    return "/dev/fuse is missing: modprobe fuse, or start the container with --device /dev/fuse"


def loop_devices():
    if os.access("/dev/loop-control", os.R_OK | os.W_OK):
        return None
    return "/dev/loop-control is missing: modprobe loop, or start the container --privileged"


def file_system(name):
    """Checks that the kernel has the file system, or a module that mounting it will load."""
    with open("/proc/filesystems", encoding="utf-8") as known:
        if name in known.read().split():
            return None
    if shutil.which("modprobe") and subprocess.run(
            ["modprobe", "-n", "-q", name], check=False).returncode == 0:
        return None
    return f"this kernel has no {name}: run one that is built with it"


def program(name, package):
    return None if shutil.which(name) else f"{name} is missing: apt-get install {package}"


def library(module, package):
    """Checks for `module`, a name for pkg-config, with or without a least version."""
    if shutil.which("pkg-config"):
        if subprocess.run(["pkg-config", "--exists", module], check=False).returncode == 0:
            return None
    return f"{module} is missing: apt-get install {package} pkg-config"


def first(*checks):
    """Returns the first thing that is missing, or None."""
    return next((why for why in checks if why), None)
