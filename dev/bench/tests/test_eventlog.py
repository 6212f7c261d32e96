"""Spark's figures are summed over tasks; an unpersisted block doesn't count as evicted."""

import json
import unittest

from hpcbench import eventlog


def task(executor="0", heap=10, failed=False):
    return {
        "Event": "SparkListenerTaskEnd",
        "Task Info": {"Executor ID": executor, "Failed": failed, "Killed": False},
        "Task Executor Metrics": {"JVMHeapMemory": heap},
        "Task Metrics": {
            "Executor Run Time": 1500, "JVM GC Time": 20, "Executor Deserialize Time": 30,
            "Result Serialization Time": 1, "Disk Bytes Spilled": 9,
            "Shuffle Read Metrics": {"Fetch Wait Time": 250, "Remote Bytes Read": 100,
                                     "Local Bytes Read": 11, "Remote Blocks Fetched": 2,
                                     "Local Blocks Fetched": 1},
            "Shuffle Write Metrics": {"Shuffle Write Time": 2 * 10**9, "Shuffle Bytes Written": 77}}}


def map_task(stage, partition, failed=False):
    its = task(failed=failed)
    its.update({"Stage ID": stage, "Task Type": "ShuffleMapTask"})
    its["Task Info"]["Partition ID"] = partition
    return its


def update(block, memory, disk, executor="0", size=10):
    return {"Event": "SparkListenerBlockUpdated", "Block Updated Info": {
        "Block Manager ID": {"Executor ID": executor}, "Block ID": block,
        "Storage Level": {"Use Memory": memory, "Use Disk": disk},
        "Memory Size": size if memory else 0, "Disk Size": size if disk else 0}}


def unpersist(rdd):
    return {"Event": "SparkListenerUnpersistRDD", "RDD ID": rdd}


def read(*events):
    return eventlog.read(map(json.dumps, events))


class EventLogTest(unittest.TestCase):
    def test_tasks_are_added_up(self):
        its = read({"Event": "SparkListenerLogStart"}, task(), task(failed=True))
        self.assertEqual((its["tasks"], its["failed_tasks"]), (2, 1))
        self.assertEqual((its["shuffle_read_bytes"], its["shuffle_written_bytes"]), (222, 154))
        self.assertEqual((its["spilled_bytes"], its["shuffle_blocks_read"]), (18, 6))
        self.assertAlmostEqual(its["run_seconds"], 3.0)
        self.assertAlmostEqual(its["fetch_wait_seconds"], 0.5)
        self.assertAlmostEqual(its["shuffle_write_seconds"], 4.0)

    def test_a_map_is_run_again_only_if_it_had_ended_well(self):
        its = read(map_task(0, 0, failed=True), map_task(0, 0), map_task(0, 1), map_task(1, 0), task())
        self.assertEqual(its["maps_run_again"], 0)
        its = read(map_task(0, 0), map_task(0, 1), map_task(0, 0), map_task(0, 1, failed=True), map_task(0, 0))
        self.assertEqual(its["maps_run_again"], 2)

    def test_heaps_are_each_executors_peak_added_up(self):
        stage = {"Event": "SparkListenerStageExecutorMetrics", "Executor ID": "1",
                 "Executor Metrics": {"JVMHeapMemory": 70}}
        driver = dict(stage, **{"Executor ID": "driver"})
        its = read(task("0", 10), task("0", 40), task("1", 5), stage, driver)
        self.assertEqual(its["peak_heap_bytes"], 110)

    def test_evicted_blocks_are_dropped_or_spilled(self):
        its = read(update("rdd_1_0", True, False), update("rdd_1_0", False, False),
                   update("rdd_1_1", True, True), update("rdd_1_1", False, True))
        self.assertEqual((its["evictions"], its["dropped"], its["spilled_blocks"]), (2, 1, 1))

    def test_a_block_is_written_when_it_comes_to_disk_and_not_while_it_stays_there(self):
        its = read(update("rdd_1_0", True, False), update("rdd_1_0", False, True, size=7),
                   update("rdd_1_0", True, True, size=7), update("rdd_1_0", False, True, size=7))
        self.assertEqual(its["written_block_bytes"], 7)
        its = read(update("rdd_1_0", False, True, size=7), update("rdd_1_0", False, False),
                   update("rdd_1_0", False, True, size=7), unpersist(1),
                   update("rdd_1_0", False, True, "1", size=3))
        self.assertEqual(its["written_block_bytes"], 17)

    def test_cached_bytes_at_most_are_without_what_was_evicted_or_unpersisted(self):
        its = read(update("rdd_1_0", True, False, size=40), update("rdd_1_0", True, False, size=30),
                   update("rdd_12_0", True, False, size=5), update("rdd_12_0", False, False),
                   unpersist(1), update("rdd_2_0", True, False, size=34))
        self.assertEqual(its["peak_block_bytes"], 40)
        self.assertEqual(its["evictions"], 1)

    def test_what_never_was_in_memory_and_what_is_no_rdd_is_not_evicted(self):
        its = read(update("rdd_1_0", False, True), update("rdd_1_0", False, False),
                   update("broadcast_1", True, False), update("broadcast_1", False, False),
                   update("rdd_2_0", True, False, "0"), update("rdd_2_0", False, False, "1"))
        self.assertEqual(its["evictions"], 0)
