"""Requests of a file, from what the program counted with fewer and with more files."""

import json
import unittest

from hpcbench import file_requests
from hpcbench.refusal import Refusal


def line(files, phase, **requests):
    return json.dumps({"table": "ORC", "files": files, "phase": phase, "requests": requests})


class FileRequestsTest(unittest.TestCase):
    def test_a_file_takes_the_slope(self):
        slopes = file_requests.of_a_file([line(100, "tasks", metadata=210, open=200), line(200, "tasks", metadata=410,
                                                                                      open=400, close=100)])
        self.assertEqual(slopes, {("ORC", "tasks"): {"metadata": 2.0, "open": 2.0, "close": 1.0}})

    def test_a_row_has_the_phases_and_the_kinds_of_the_first_scan(self):
        slopes = {("ORC", phase): {"metadata": number + 1, "close": 1, "data": 1, "open": 2}
                  for number, phase in enumerate(file_requests.PHASES)}
        row, = file_requests.rows("stock", slopes)
        self.assertEqual(row, ["ORC", "stock", "0.00", "1.00", "2.00", "3.00", "4.00",
                               "0.00", "4.00", "2.00", "2.00"])

    def test_what_is_only_written_has_no_figures_of_scans(self):
        row, = file_requests.rows("hpc", {("a micro-batch", "write"): {"metadata": 9, "close": 2}})
        self.assertEqual(row, ["a micro-batch", "hpc", "7.00", *(len(file_requests.HEADS) - 3) * "-"])

    def test_a_variant_that_is_none_is_refused(self):
        with self.assertRaisesRegex(Refusal, "^stok: no variant; there are stock, "):
            file_requests.main(["stok"], print)


if __name__ == "__main__":
    unittest.main()
