"""Runs a command of the package in lib: command.py MODULE HOME ARGUMENTS ..."""

import importlib
import os
import sys

sys.path[0] = os.path.join(sys.path[0], "lib")


def main(module, home, *arguments):
    try:
        return importlib.import_module(f"spark_hpc.{module}").main(home, arguments, dict(os.environ))
    except KeyboardInterrupt:
        return 130


sys.exit(main(*sys.argv[1:]))
