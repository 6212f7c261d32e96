"""A variant's switches: all off, each alone, all on."""

import unittest

from hpcbench import ablation
from hpcbench.refusal import Refusal
from hpcbench.variant import Variant

SWITCHES = {"pool": ("spark.fake.pool", "false", "true"), "keep": ("spark.fake.keep", "no", "auto")}


class AblationTest(unittest.TestCase):
    def test_each_switch_is_on_alone_and_all_together(self):
        its = Variant("", "dist", settings={"spark.other": "1"}, switches=SWITCHES)
        made = ablation.variants("hpc", its)
        self.assertEqual(list(made), ["hpc-off", "hpc+pool", "hpc+keep", "hpc-on"])
        self.assertEqual({name: (v.settings["spark.fake.pool"], v.settings["spark.fake.keep"])
                          for name, v in made.items()},
                         {"hpc-off": ("false", "no"), "hpc+pool": ("true", "no"),
                          "hpc+keep": ("false", "auto"), "hpc-on": ("true", "auto")})
        self.assertTrue(all(v.settings["spark.other"] == "1" for v in made.values()))

    def test_one_switch_is_on_once(self):
        made = ablation.variants("x", Variant("", "d", switches={"pool": SWITCHES["pool"]}))
        self.assertEqual(list(made), ["x-off", "x+pool"])

    def test_a_variant_without_switches_is_refused(self):
        with self.assertRaisesRegex(Refusal, "stock has no switches"):
            ablation.variants("stock", Variant("", "d"))
