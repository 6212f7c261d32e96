"""Runs a command of the package beside this file: command.py MODULE HOME ARGUMENTS ..."""

import importlib
import os
import sys


def main(module, home, *arguments):
    try:
        return importlib.import_module(f"spark_hpc.{module}").main(home, arguments, dict(os.environ))
    except KeyboardInterrupt:
        return 130


sys.exit(main(*sys.argv[1:]))
