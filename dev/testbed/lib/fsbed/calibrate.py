"""What an open costs here without the delay that a preset adds, so that it takes what the preset says
and not more.

The service time is set to a constant; what an open takes beyond it is the machine's share (switches
of process, waking up). A low quantile, since other programs only ever add to it.
"""

import os
import time

CONSTANT_US = 300
OPENS = 200


def excess_microseconds(path):
    """What an open of a new file takes beyond CONSTANT_US, which it is set to take."""
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
