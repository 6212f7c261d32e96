"""The axes of a sweep, and what their values change in a run.

    executors, executors-per-node      number of nodes, number of executor JVMs on each
    partitions, partitions-per-core    all of the workload's numbers of tasks, set to the same value
    memory-region                      size of Spark's unified region, such as 72m, set by spark.memory.fraction
    speculation                        true or false
    ghost, latency                     a testbed file system's mds.ghost_ops, mds.median_us
    fs.KEY                             any setting of a testbed file system
    spark.KEY                          any setting of Spark's
    an option of the workload
"""

import dataclasses
import itertools
import re

from . import answer
from .refusal import Refusal

AXES = ["executors", "executors-per-node", "partitions", "partitions-per-core",
        "memory-region", "speculation", "ghost", "latency", "fs.KEY", "spark.KEY", "any option of the workload"]
FILE_SYSTEM = {"ghost": "mds.ghost_ops", "latency": "mds.median_us"}
PARTITIONS = ("partitions", "partitions-per-core")
# Spark subtracts this from the heap before it divides the rest (UnifiedMemoryManager).
RESERVED_BYTES = 300 << 20
UNITS = {"k": 10, "m": 20, "g": 30}


@dataclasses.dataclass
class Conditions:
    """Everything that a point of the sweep may change in a run."""

    options: dict
    executors: int
    executors_per_node: int
    executor_cores: int
    heap: str
    settings: dict = dataclasses.field(default_factory=dict)
    file_system: dict = dataclasses.field(default_factory=dict)

    def executors_in_all(self):
        return self.executors * self.executors_per_node

    def cores(self):
        return self.executors_in_all() * self.executor_cores


def bytes_of(text):
    found = re.fullmatch(r"(\d+)([kmg])b?", text.lower())
    if not found:
        raise Refusal(f"{text}: a size such as 72m or 1g is wanted")
    return int(found[1]) << UNITS[found[2]]


def memory_fraction(region, heap):
    """Returns the spark.memory.fraction that gives the unified region this size. G1 provides all of -Xmx; another
    collector provides a little less, and so a smaller region."""
    fraction = bytes_of(region) / (bytes_of(heap) - RESERVED_BYTES)
    if not 0 < fraction < 1:
        raise Refusal(f"memory-region={region}: must be below the heap {heap} less 300 MB")
    return f"{fraction:.6f}"


def axes(words):
    """Returns --sweep NAME=V1,V2 ... as {name: values}."""
    found = {}
    for word in words:
        name, equals, values = word.partition("=")
        if not equals or not name or not all(values.split(",")):
            raise Refusal(f"--sweep {word}: NAME=VALUE,VALUE,... is wanted")
        found[name] = values.split(",")
    return found


def settings_of(words):
    """Returns --conf KEY=VALUE ... as a dictionary."""
    found = answer.options_of(words)
    for key in found:
        if not key.startswith("spark."):
            raise Refusal(f"--conf {key}: settings begin with spark.")
    return found


def points(found):
    return [tuple(zip(found, values)) for values in itertools.product(*found.values())]


def conditions(base, point, workload):
    """Returns a copy of `base` with the changes of the point."""
    made = dataclasses.replace(base, options=dict(base.options), settings=dict(base.settings),
                               file_system=dict(base.file_system))
    for axis, value in point:
        _apply(made, axis, value)
    # Last, since the sweep may change the number of cores, too.
    for axis, value in point:
        if axis in PARTITIONS:
            if not workload.partitions:
                raise Refusal(f"--sweep {axis}: this workload has no partitions to set")
            each = _whole(axis, value) * (made.cores() if axis == "partitions-per-core" else 1)
            made.options.update(dict.fromkeys(workload.partitions, str(each)))
    return made


def _whole(axis, value):
    if not re.fullmatch(r"[1-9]\d*", value):
        raise Refusal(f"--sweep {axis}={value}: a whole number above 0 is wanted")
    return int(value)


def _apply(made, axis, value):
    if axis == "executors":
        made.executors = _whole(axis, value)
    elif axis == "executors-per-node":
        made.executors_per_node = _whole(axis, value)
    elif axis == "memory-region":
        made.settings["spark.memory.fraction"] = memory_fraction(value, made.heap)
    elif axis == "speculation":
        if value not in ("true", "false"):
            raise Refusal(f"--sweep speculation={value}: true or false is wanted")
        made.settings["spark.speculation"] = value
    elif axis in FILE_SYSTEM:
        if not re.fullmatch(r"\d+(\.\d+)?", value):
            raise Refusal(f"--sweep {axis}={value}: a number of 0 or more is wanted")
        made.file_system[FILE_SYSTEM[axis]] = value
    elif axis.startswith("fs."):
        made.file_system[axis[3:]] = value
    elif axis.startswith("spark."):
        made.settings[axis] = value
    elif axis in made.options:
        made.options[axis] = value
    elif axis not in PARTITIONS:
        raise Refusal(f"--sweep {axis}: neither an axis nor an option of the workload; "
                      f"its options are {', '.join(made.options)}")
