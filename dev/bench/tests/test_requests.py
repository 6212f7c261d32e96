"""Requests are summed by kind of file; events that aren't requests aren't counted."""

import unittest

from hpcbench import requests
from runs import ABOUT, run


def with_classes(variant, counts, failure=None):
    made = run(1, variant, "pfs:none", counts={"open": 1}, failure=failure)
    made["counts"]["clients"] = [{"client": 0, "counts": counts},
                                 {"client": 1, "counts": {"open": {"rdd": 1}}}]
    return made


COUNTS = {"open": {"temp_local": 3, "temp_shuffle": 4, "shuffle_data": 5, "python_spill": 8, "other": 6},
          "create": {"temp_local": 2, "python_spill": 9, "container": 1},
          "mkdir": {"other": 7, "python_spill": 10},
          "cached_read": {"temp_local": 100}, "extent_revoked": {"rdd": 100}}


class RequestsTest(unittest.TestCase):
    def test_requests_are_summed_by_group(self):
        self.assertEqual(requests.by_group(with_classes("stock", COUNTS)),
                         {"spills": 9, "Python's spills": 17, "cached blocks": 1, "shuffle outputs": 5,
                          "others": 24})

    def test_the_page_has_a_row_for_each_series_and_names_what_failed(self):
        about = {**ABOUT, "scratches": ["pfs:none"]}
        runs = [with_classes("stock", COUNTS), with_classes("hpc", {}, failure="exit code 1: full")]
        text = "\n".join(requests.page("Title", [(about, runs)]))
        self.assertIn("| groupby | stock | 11 | 9 | 17 | 1 | 5 | 24 |", text)
        self.assertIn("exit code 1: full", text)


if __name__ == "__main__":
    unittest.main()
