"""Ends a Python program that doesn't catch Refused with the refusal's one line, as the commands do."""

import functools
import sys

from spark_hpc.refused import Refused


def say_in_one_line():
    """Installs the exception hook; other exceptions are shown as before."""
    if not isinstance(sys.excepthook, functools.partial) or sys.excepthook.func is not _show:
        sys.excepthook = functools.partial(_show, sys.excepthook)


def _show(others, kind, error, trace):
    if issubclass(kind, Refused):
        print(f"spark_hpc: {error}", file=sys.stderr)
    else:
        others(kind, error, trace)
