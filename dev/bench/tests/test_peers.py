"""The page of ways to keep map outputs has a row for each variant, and only the parts that were measured."""

import unittest

from hpcbench import peers
from runs import ABOUT, run


SIZE = {"maps": "6", "reduces": "5"}


def measured(number, variant, opens, servers=None, again=0):
    made = run(number, variant, "pfs:none", wall=2.0 * number, counts={"open": opens, "create": 3},
               spark={"maps_run_again": again, "failed_tasks": 1})
    made["options"] = SIZE
    made["counts"]["clients"][0]["bytes"] = {"write": {"other": 5 << 20, "rdd": 1 << 20}, "cached_read": {"rdd": 9}}
    if servers:
        made["cpu_seconds"]["servers"] = servers
        made["peak_resident_bytes"]["servers"] = 200 << 20
    return made


def about(*variants):
    return {**ABOUT, "variants": list(variants), "scratches": ["pfs:none"]}


STOCK = (about("stock"), [measured(1, "stock", 10), measured(2, "stock", 12)])
SERVICE = (about("service"), [measured(1, "service", 10, servers=1.5)])
KILLS = (about("stock", "service"), [measured(1, "stock", 1, again=4), measured(1, "service", 1)])


def rows(*parts):
    return [line for line in peers.page("command", *parts) if line.startswith("| s")]


class PeersTest(unittest.TestCase):
    def test_counts_are_of_the_file_system_and_a_range_if_runs_differ(self):
        first, second, *_ = rows([STOCK, SERVICE], [], [])
        self.assertEqual(first, "| stock | 13 to 15 | 10 to 12 | 3 | 7 | 6.0 | 0.0 |")
        self.assertEqual(second, "| service | 13 | 10 | 3 | 7 | 6.0 | 0.0 |")

    def test_servers_are_beside_the_executors(self):
        *_, stock, service = rows([STOCK, SERVICE], [], [])
        self.assertEqual(stock, "| stock | 2 | 7.0 | - | 300 | - |")
        self.assertEqual(service, "| service | 1 | 5.0 | 1.5 | 300 | 200 |")

    def test_each_part_says_its_size(self):
        text = "\n".join(peers.page("command", [STOCK], [KILLS], []))
        self.assertEqual(text.count("6 maps and 5 reducers, one executor"), 2)

    def test_a_loss_shows_what_was_run_again(self):
        self.assertEqual(rows([], [KILLS], []), ["| stock | 1 | 4 | 1 |", "| service | 1 | 0 | 1 |"])

    def test_times_are_compared_within_rounds(self):
        stock, service = rows([], [], [(about("stock", "service"),
                                        [measured(number, name, 1) for number in range(1, 8)
                                         for name in ("stock", "service")])])
        self.assertEqual(stock, "| stock | 7 | 8.0 |  | 17.0 |  |")
        self.assertIn("1.00 (1.00 to 1.00)", service)

    def test_a_run_that_failed_is_named_and_in_no_figure(self):
        failed = run(1, "stock", "pfs:none", failure="exit code 1: no disk", options=SIZE)
        text = "\n".join(peers.page("command", [(about("stock"), [failed])], [], []))
        self.assertIn("exit code 1: no disk", text)
        self.assertNotIn("| stock | - |", text)


if __name__ == "__main__":
    unittest.main()
