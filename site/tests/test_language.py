"""The package runs on any Python from 3.6 on, with its standard library alone."""

import ast
import pathlib
import sys
import unittest

from site_case import SITE

SOURCES = sorted([*(pathlib.Path(SITE) / "lib").rglob("*.py"), pathlib.Path(SITE) / "command.py"])
# What the standard library got later: calls and arguments that the syntax doesn't tell.
LATER_ARGUMENTS = {"capture_output", "text", "dirs_exist_ok", "missing_ok"}
LATER_NAMES = {"removeprefix", "removesuffix", "nullcontext", "fromisoformat", "pidfd_open"}


class LanguageTest(unittest.TestCase):
    def trees(self):
        self.assertGreater(len(SOURCES), 15)
        for path in SOURCES:
            yield path.name, ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 6))

    def test_its_syntax_is_that_of_3_6_and_so_is_what_it_calls(self):
        for name, tree in self.trees():
            arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword)}
            names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
            self.assertEqual((arguments & LATER_ARGUMENTS) | (names & LATER_NAMES), set(), name)

    def test_it_imports_the_standard_library_alone(self):
        for name, tree in self.trees():
            for node in ast.walk(tree):
                modules = ([alias.name for alias in node.names] if isinstance(node, ast.Import)
                           else [node.module] if isinstance(node, ast.ImportFrom) else [])
                for module in modules:
                    top = module.split(".")[0]
                    # Their callers have PySpark.
                    ours = {"spark_hpc"} | ({"pyspark"} if name in ("session.py", "graph.py") else set())
                    self.assertIn(top, ours | sys.stdlib_module_names, name)


if __name__ == "__main__":
    unittest.main()
