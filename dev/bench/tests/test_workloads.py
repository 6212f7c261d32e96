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
            for option in (its.warm_up or "").removeprefix("--").split():
                self.assertIn(option, its_text, name)
            self.assertLessEqual(set(its.partitions), its.options.keys(), name)

    def test_a_copy_of_the_input_is_given_as_often_as_the_work_is_done_on_it(self):
        its = workload.load("bdb")
        words = its.arguments({"rank": 7}, "/tables", 2 * ["/copy"], None)
        self.assertEqual(words, ["--rank", "7", "--input", "/tables", "--warm-up", "/copy", "--warm-up", "/copy"])
