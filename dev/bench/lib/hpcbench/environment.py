"""Describes what figures depend on besides the code: machine, JVM, date, load, commit."""

import datetime
import os
import platform
import subprocess

from . import ROOT


def _said(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).strip()


def java():
    home = os.environ.get("JAVA_HOME")
    lines = _said(f"{home}/bin/java" if home else "java", "-version").splitlines()
    return lines[1] if len(lines) > 1 else "unknown JVM"


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return f"{os.cpu_count()} x {names[0] if names else platform.machine()}"


def describe():
    # Changed pages below docs don't count: they don't affect a measurement.
    changed = "+" if _said("git", "-C", str(ROOT), "status", "--porcelain", "-uno", "--", ".", ":!docs") else ""
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "commit": _said("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD") + changed,
        "jvm": java(),
        "os": f"{platform.system()} {platform.release()}",
        "processor": processor(),
        "load": round(os.getloadavg()[0], 1),
    }
