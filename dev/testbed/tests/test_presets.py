"""Presets: the drawn times have the published distribution. All figures are the model's own, never a clock's."""

import math
import os
import unittest

from fsbed import presets
from pfs_case import PfsCase


def mean_and_variance(p):
    """Returns those of an open, computed from the settings: lognormal, with a log-uniform tail."""
    median, s, chance = p["mds.median_us"], p["mds.sigma"], p["mds.tail_chance"]
    low, high = p["mds.tail_from_us"], p["mds.tail_to_us"]
    body = median * math.exp(s * s / 2)
    tail = (high - low) / math.log(high / low)
    squares = ((1 - chance) * median**2 * math.exp(2 * s * s)
               + chance * (high**2 - low**2) / (2 * math.log(high / low)))
    mean = (1 - chance) * body + chance * tail
    return mean, squares - mean * mean


class PublishedTest(unittest.TestCase):
    def test_edison_has_the_published_mean_and_worst(self):
        mean, _ = mean_and_variance(presets.load("edison"))
        self.assertAlmostEqual(mean, 542, delta=5)
        self.assertEqual(presets.load("edison")["mds.tail_to_us"], 324000)

    def test_the_burst_buffers_have_a_fifth_of_the_variance(self):
        _, lustre = mean_and_variance(presets.load("cori"))
        _, striped = mean_and_variance(presets.load("bb-striped"))
        _, private = mean_and_variance(presets.load("bb-private"))
        self.assertAlmostEqual(lustre / striped, 5, delta=0.1)
        self.assertAlmostEqual(private / striped, 1.15, delta=0.02)


class DrawnTest(PfsCase):
    nodes = 1

    def test_drawn_opens_have_the_presets_median(self):
        # Faster by a constant, so that the test doesn't take a minute; the shape stays the preset's.
        for name in ("edison", "cori", "bb-striped", "flash"):
            settings = presets.load(name)
            self.ask("set", **settings)
            self.ask("set", **{"client.fuse_us": 1e5})
            self.put(0, "f")
            self.reset()
            for _ in range(1000):
                os.close(os.open(self.at(0, "f"), os.O_RDONLY))
            opens = self.settled()["service"]["open"]
            self.assertEqual(opens["count"], 1000)
            self.assertAlmostEqual(opens["median_us"] / settings["mds.median_us"], 1, delta=0.15)
            self.assertLessEqual(opens["max_us"], settings["mds.tail_to_us"])

    def test_bad_settings_are_refused(self):
        for key, value in (("mds.threads", 0), ("mds.threads", 1.5), ("what", 1),
                           ("weight.what", 1), ("client.cache", 2)):
            with self.assertRaises(Exception, msg=key):
                self.ask("set", **{key: value})


class GhostTest(PfsCase):
    nodes = 1

    def mean_wait(self, ghosts):
        # With long services and few arrivals, the wait is that of the queue, however slow this machine is.
        self.ask("set", **{"mds.threads": 1, "mds.median_us": 1000, "mds.ghost_ops": ghosts})
        self.put(0, "f")
        self.reset()
        for _ in range(100):
            os.close(os.open(self.at(0, "f"), os.O_RDONLY))
        return self.settled()["service"]["open"]["mean_wait_us"]

    def test_ghost_clients_lengthen_the_queue(self):
        self.assertGreater(self.mean_wait(900), 100 + 2 * self.mean_wait(0))


if __name__ == "__main__":
    unittest.main()
