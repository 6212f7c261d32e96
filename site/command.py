"""Runs a command of the package in lib: command.py MODULE HOME ARGUMENTS ..."""

import importlib
import os
import sys

sys.path[0] = os.path.join(sys.path[0], "lib")


def main(module, home, *arguments):
    try:
        code = importlib.import_module(f"spark_hpc.{module}").main(home, arguments, dict(os.environ))
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output has closed it; Python's final flush would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141


sys.exit(main(*sys.argv[1:]))
