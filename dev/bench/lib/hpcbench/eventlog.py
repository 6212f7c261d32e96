"""Reads the figures of an application from Spark's event log."""

import collections
import json

SECOND_MS = 1e3
SECOND_NS = 1e9


class Blocks:
    """Follows RDD blocks through the driver's block updates. An unpersist event names the whole RDD.

    A block that is no longer in memory was evicted: spilled if it is on disk now, otherwise
    dropped. A block that is newly on disk was written.
    """

    def __init__(self):
        # By RDD number: {(executor, block): bytes in memory}, and the set of (executor, block) on disk.
        self.in_memory, self.on_disk = collections.defaultdict(dict), collections.defaultdict(set)
        self.dropped = self.spilled = self.written_bytes = 0
        self.bytes = self.peak_bytes = 0

    def update(self, info):
        block = info["Block ID"]
        if not block.startswith("rdd_"):
            return
        rdd, key = int(block.split("_")[1]), (info["Block Manager ID"]["Executor ID"], block)
        level = info["Storage Level"]
        self._see_disk(rdd, key, level["Use Disk"], info["Disk Size"])
        before = self.in_memory[rdd].pop(key, None)
        self.bytes -= before or 0
        if level["Use Memory"]:
            self.in_memory[rdd][key] = info["Memory Size"]
            self.bytes += info["Memory Size"]
            self.peak_bytes = max(self.peak_bytes, self.bytes)
        elif before is not None and level["Use Disk"]:
            self.spilled += 1
        elif before is not None:
            self.dropped += 1

    def _see_disk(self, rdd, key, on_disk, size):
        if not on_disk:
            self.on_disk[rdd].discard(key)
        elif key not in self.on_disk[rdd]:
            self.on_disk[rdd].add(key)
            self.written_bytes += size

    def unpersisted(self, rdd):
        self.bytes -= sum(self.in_memory.pop(rdd, {}).values())
        self.on_disk.pop(rdd, None)


def read(lines):
    """Returns the figures of an application. Times are sums over tasks in seconds, heaps are sums over executors."""
    figures = collections.Counter()
    heaps = collections.defaultdict(int)
    blocks = Blocks()
    maps = set()
    for line in lines:
        event = json.loads(line)
        name = event["Event"]
        if name == "SparkListenerTaskEnd":
            _add_task(figures, heaps, event)
            _see_map(figures, maps, event)
        elif name == "SparkListenerStageExecutorMetrics":
            _see_heap(heaps, event["Executor ID"], event["Executor Metrics"])
        elif name == "SparkListenerBlockUpdated":
            blocks.update(event["Block Updated Info"])
        elif name == "SparkListenerUnpersistRDD":
            blocks.unpersisted(event["RDD ID"])
    return {**figures, "evictions": blocks.dropped + blocks.spilled, "dropped": blocks.dropped,
            "spilled_blocks": blocks.spilled, "written_block_bytes": blocks.written_bytes,
            "peak_block_bytes": blocks.peak_bytes,
            "peak_heap_bytes": sum(heaps.values())}


def _see_heap(heaps, executor, metrics):
    if executor != "driver":
        heaps[executor] = max(heaps[executor], metrics.get("JVMHeapMemory", 0))


def _see_map(figures, maps, event):
    """Counts the map tasks that ended well although another attempt of the same partition had: its output was lost, or
    it was speculative."""
    info = event["Task Info"]
    if event.get("Task Type") == "ShuffleMapTask" and not (info["Failed"] or info["Killed"]):
        key = event["Stage ID"], info["Partition ID"]
        figures["maps_run_again"] += key in maps
        maps.add(key)


def _add_task(figures, heaps, event):
    figures["tasks"] += 1
    if event["Task Info"]["Failed"] or event["Task Info"]["Killed"]:
        figures["failed_tasks"] += 1
    metrics = event.get("Task Metrics")
    if not metrics:
        return
    _see_heap(heaps, event["Task Info"]["Executor ID"], event.get("Task Executor Metrics", {}))
    read_, write = metrics["Shuffle Read Metrics"], metrics["Shuffle Write Metrics"]
    figures.update({
        "run_seconds": metrics["Executor Run Time"] / SECOND_MS,
        "gc_seconds": metrics["JVM GC Time"] / SECOND_MS,
        "deserialize_seconds": metrics["Executor Deserialize Time"] / SECOND_MS,
        "result_serialization_seconds": metrics["Result Serialization Time"] / SECOND_MS,
        "fetch_wait_seconds": read_["Fetch Wait Time"] / SECOND_MS,
        "shuffle_write_seconds": write["Shuffle Write Time"] / SECOND_NS,
        "shuffle_read_bytes": read_["Remote Bytes Read"] + read_["Local Bytes Read"],
        "shuffle_blocks_read": read_["Remote Blocks Fetched"] + read_["Local Blocks Fetched"],
        "shuffle_written_bytes": write["Shuffle Bytes Written"],
        "spilled_bytes": metrics["Disk Bytes Spilled"],
    })
