"""Measures what an open costs on this machine without a preset's delay, so that an open with the delay takes
what the preset says and not more.

The service time is set to a constant. Whatever an open takes beyond it is the machine's share (process
switches, wake-ups). The result is a low quantile, since other programs can only add to the time.
"""

import os
import time

CONSTANT_US = 300
OPENS = 200


def excess_microseconds(path):
    """Returns the time of an open of a new file beyond CONSTANT_US, the service time that is set."""
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
    times = sorted(_timed_open(path) for _ in range(OPENS))
    os.unlink(path)
    return max(0.0, round(times[OPENS // 4] / 1000 - CONSTANT_US, 1))


def _timed_open(path):
    begin = time.perf_counter_ns()
    descriptor = os.open(path, os.O_RDONLY)
    end = time.perf_counter_ns()
    os.close(descriptor)
    return end - begin
