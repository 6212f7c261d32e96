"""Every command of the pages is run by a test, or says that it isn't; every setting and verb exists."""

import pathlib
import re
import unittest

import pages
from site_case import SITE, SiteCase
from spark_hpc import command_line
from spark_hpc.job_cluster import PROGRAMS
from spark_hpc.settings import BY_KEY
from spark_hpc.site_conf import SiteConf

# Which test runs the blocks of a page that have this word.
RUN_BY = {("tutorial", "install"): "test_the_tutorial_ranks_a_graph_and_leaves_nothing",
          ("tutorial", "login"): "test_the_tutorial_ranks_a_graph_and_leaves_nothing",
          ("how-to", "session"): "test_what_the_page_says_works_in_a_job",
          ("coming-from", "sparkctl"):
              "test_the_published_one_starts_runs_and_stops_a_cluster_by_its_defaults"}
# Programs that can be neither had nor imitated here.
UNTRIED = {"apptainer", "shifter", "podman-hpc"}


class DocsTest(SiteCase):
    def names_of_tests(self):
        sources = sorted((pathlib.Path(SITE) / "tests").glob("*.py"))
        suites = (pathlib.Path(SITE).parent / "dev" / "e2e").glob("src/test/scala/**/*Suite.scala")
        return {suite.stem for suite in suites} | set(re.findall(r"(?m)^    def (test_\w+)", "\n".join(
            path.read_text(encoding="utf-8") for path in sources)))

    def each(self):
        return [(name, block) for name in pages.NAMES for block in pages.blocks(name)]

    def test_every_block_is_run_by_a_test_or_says_that_it_is_not(self):
        tests = self.names_of_tests()
        seen = set()
        for name, block in self.each():
            with self.subTest(page=name, block=block.text):
                self.check(name, block, tests, seen)
        self.assertEqual(seen, set(RUN_BY), "pages still have what tests run")

    def check(self, name, block, tests, seen):
        if block.language == "conf":
            return
        self.assertIn(block.language, ("sh", "python"))
        kind, _, test = block.word.partition(" ")
        if kind == "elsewhere":
            self.assertIn(test, tests)
        elif kind == "untried":
            self.assertLessEqual({line.split()[0] for line in block.text.splitlines()}, UNTRIED)
        elif "." not in kind:
            self.assertIn(RUN_BY[name, kind], tests)
            seen.add((name, kind))

    def test_no_command_hides_in_a_block_of_another_form(self):
        for name in pages.NAMES:
            indented = re.findall(r"(?m)^    (spark-hpc|sbatch|module|sparkctl) .*$", pages.text(name))
            self.assertEqual(indented, [], name)

    def test_lines_for_the_sites_file_are_allowed_there(self):
        found = 0
        for _, block in self.each():
            if block.language == "conf":
                SiteConf().read(self.put("site.conf", block.text), users=False)
                found += 1
        self.assertGreater(found, 5)

    def test_settings_and_verbs_exist(self):
        verbs = {*PROGRAMS, "notebook", *re.findall(r"(?m)^spark-hpc (\w+)", command_line.USAGE)}
        groups = {key.split(".")[0] for key in BY_KEY if "." in key}
        for name in (*pages.NAMES, "site"):
            said = pages.text(name)
            keys = set(re.findall(r"--set ([a-z]\S*?)=", said))
            keys |= {word for word in re.findall(r"`([a-z]+(?:\.[a-z]+)+)`", said)
                     if word.split(".")[0] in groups - {"module"}}
            self.assertEqual(keys - set(BY_KEY), set(), name)
            prose = re.sub(r"(?ms)^```.*?^```$", "", said)
            code = re.findall(r"`([^`]*)`", prose) + [block.text for block in pages.blocks(name)]
            found = {verb for words in code for verb in re.findall(r"(?m)^spark-hpc ([a-z][a-z-]*)", words)}
            self.assertEqual(found - verbs, set(), name)


if __name__ == "__main__":
    unittest.main()
