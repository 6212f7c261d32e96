"""What FUSE itself costs here, so that an open takes what the preset says and not more.

The emulator's service time is set to a constant; what an open takes beyond it is FUSE's share (two
switches of process, and waking up). A low quantile, since other programs only ever add to it.
"""

import os
import time

CONSTANT_US = 300
OPENS = 200


def fuse_microseconds(instance):
    path = os.path.join(instance.mount_point(0), ".calibrate")
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
    instance.ask("set", **{"mds.median_us": CONSTANT_US, "weight.close": 0})
    times = sorted(_timed_open(path) for _ in range(OPENS))
    os.unlink(path)
    instance.ask("set", **{"mds.median_us": 0, "weight.close": 1})
    return max(0.0, round(times[OPENS // 4] / 1000 - CONSTANT_US, 1))


def _timed_open(path):
    begin = time.perf_counter_ns()
    descriptor = os.open(path, os.O_RDONLY)
    end = time.perf_counter_ns()
    os.close(descriptor)
    return end - begin
