"""The model's calibration finds the costs that made the runs, and its rows say what runs took."""

import unittest

from hpcbench import cluster_model as model
from runs import run


def made(costs):
    """Returns calibration runs of a machine with these costs."""
    table = []

    def add(purpose, variant, executors, tasks, metadata=100):
        blocks = model.full_blocks(tasks)
        ours = (tasks * (costs["map"] + costs["reduce"]) + executors * (costs["first_map"] + costs["first_reduce"])
                + blocks * costs["block"])
        asked = metadata * costs["request"] if variant == "stock" else 0
        table.append({"purpose": purpose, "variant": variant, "executors": executors, "tasks": tasks,
                      "map": (tasks * costs["map"] + executors * costs["first_map"]) / model.CORES,
                      "reduce": (tasks * costs["reduce"] + executors * costs["first_reduce"]
                                 + blocks * costs["block"]) / model.CORES,
                      "cpu": ours + asked, "file_system_cpu": 0.0, "metadata": metadata})

    for executors in model.CALIBRATED:
        add("executors", "ours", executors, model.TASKS)
        add("executors", "stock", executors, model.TASKS, 100_000 + executors * 400)
    for tasks in model.WIDE:
        add("width", "ours", model.WIDE_EXECUTORS, tasks)
    return table


class FitTest(unittest.TestCase):
    costs = {"map": 0.05, "reduce": 0.08, "first_map": 4.0, "first_reduce": 1.5, "block": 60e-6, "request": 40e-6}

    def test_it_finds_the_costs(self):
        found = model.fit(made(self.costs))
        wanted = {"cpu.map_s": 0.05, "cpu.reduce_s": 0.08, "cpu.first_map_s": 4.0, "cpu.first_reduce_s": 1.5,
                  "cpu.block_us": 30.0, "cpu.serve_us": 30.0, "client.request_us": 40.0}
        self.assertEqual(found.keys(), wanted.keys())
        for key, value in wanted.items():
            self.assertAlmostEqual(found[key], value, places=6, msg=key)

    def test_a_run_that_others_disturbed_changes_nothing(self):
        table = made(self.costs)
        slow = [{**row, "map": 2 * row["map"], "reduce": 2 * row["reduce"], "cpu": 2 * row["cpu"]} for row in table]
        self.assertEqual(model.fit(table + slow), model.fit(table))

    def test_no_cost_is_negative(self):
        found = model.fit(made({**dict.fromkeys(self.costs, 0.0), "first_map": 1.0}))
        self.assertGreaterEqual(min(found.values()), 0.0)


class RowsTest(unittest.TestCase):
    def test_a_row_has_what_requests_took_with_their_waits(self):
        its = run(1, "hpc", wall=9.0, counts={"open": 10, "close": 10}, options={"maps": "96"},
                  phases={"map": 4.0, "reduce": 5.0})
        its["counts"]["service"] = {"open": {"count": 10, "mean_us": 300.0, "mean_wait_us": 100.0},
                                    "read": {"count": 10, "mean_us": 400.0, "mean_wait_us": 0.0}}
        [row] = model.rows("check", "ours", [its, run(2, failure="it failed", options={"maps": "96"})])
        self.assertEqual((row["seconds"], row["map"], row["reduce"], row["metadata"], row["opens"], row["executors"]),
                         (9.0, 4.0, 5.0, 20, 10, 2))
        self.assertAlmostEqual(row["wait"], 0.004)


if __name__ == "__main__":
    unittest.main()
