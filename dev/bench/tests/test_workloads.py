"""Each workload's program and options are those of a program in examples."""

import unittest

from hpcbench import ROOT, plugins, workload

EXAMPLES = ROOT / "examples" / "src" / "main" / "scala"


class WorkloadsTest(unittest.TestCase):
    def test_each_program_and_option_stands_in_the_sources(self):
        sources = {str(file.relative_to(EXAMPLES).with_suffix("")).replace("/", "."):
                   file.read_text(encoding="utf-8") for file in EXAMPLES.rglob("*.scala")}
        text = "".join(sources.values())
        names = plugins.names("workloads")
        self.assertIn("groupby", names)
        for name in names:
            its = workload.load(name)
            its_text, its_option = text, '("{}"'
            if its.main.endswith(".py"):
                its_text, its_option = (ROOT / its.main).read_text(encoding="utf-8"), '"{}"'
            else:
                self.assertIn(its.main, sources, name)
            for option in its.options.keys() - set(its.settings_from):
                self.assertIn(its_option.format(option), its_text, name)
            self.assertLessEqual(set(its.partitions), its.options.keys(), name)
