"""Runs a scheduler's own programs."""

import subprocess

from spark_hpc.refused import Refused


def ask(env, *command):
    """The program's output. Raises Refused if it is missing, or with its last line if it fails."""
    try:
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, check=False)
    except OSError as why:
        raise Refused(f"{command[0]} can't be run: {why}: put the scheduler's commands on PATH"
                      ) from None
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Refused(f"{command[0]} failed: {last}")
    return done.stdout
