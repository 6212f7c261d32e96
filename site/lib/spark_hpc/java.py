"""The Java that runs Spark on this node: which program it is, and whether Spark runs on it."""

import os
import re
import subprocess

from spark_hpc.refused import Refused

VERSIONS = ("8", "11", "17")
_VERSION = re.compile(r'version "(?:1\.)?(\d+)([^"]*)"')
# If one of these variables is set, Java prints a line of its own about it, besides its version.
_OPTIONS = ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")


def program(java_home, env):
    """The Java program, from java.home, JAVA_HOME or PATH, in this order."""
    java_home = java_home or env.get("JAVA_HOME")
    return os.path.join(java_home, "bin", "java") if java_home else "java"


def check(java_home, env):
    """(the program, what `java -version` prints, the version); refuses a Java that Spark doesn't run on."""
    java = program(java_home, env)
    try:
        done = subprocess.run([java, "-version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, check=False,
                              env={name: value for name, value in env.items() if name not in _OPTIONS})
    except OSError as why:
        raise Refused(f"{java}: {why.strerror}: set java.home, or put java on PATH") from None
    match = _VERSION.search(done.stderr)
    if done.returncode != 0 or not match:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise Refused(f"{java} -version failed: {last}: set java.home to another Java")
    if match.group(1) not in VERSIONS:
        raise Refused(f"{java} is Java {match.group(1)}, but Spark 3.5 runs on {', '.join(VERSIONS[:-1])} and "
                      f"{VERSIONS[-1]}: set java.home or JAVA_HOME, or load another module of Java")
    return java, done.stderr.strip() + "\n", match.group(1) + match.group(2)
