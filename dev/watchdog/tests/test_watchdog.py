"""Planted hangs: runs of unittest, and of any command, that end by themselves with an error and a reason."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
LIB = HERE.parent / "lib"
sys.path.insert(0, str(LIB))

from watchdog import processes  # noqa: E402

MARK = "HPC_TEST_RUN"


def run(*command, **variables):
    """Returns the run's exit code and output, and the processes that it left behind."""
    mark = f"planted-{os.getpid()}-{len(variables)}"
    environment = {**os.environ, MARK: mark, "PYTHONPATH": str(LIB), "HPC_TEST_MINUTES": "0.05", **variables}
    with tempfile.TemporaryFile("w+") as out:
        code = subprocess.run(command, cwd=HERE, env=environment, stdout=out, stderr=out, check=False).returncode
        out.seek(0)
        left = [one.command for one in processes.of(f"{MARK}={mark}", os.getpid())]
        return code, out.read(), left


def limited(way):
    return run(sys.executable, "-m", "watchdog", "-v", "planted", PLANTED=way)


class LimitedTest(unittest.TestCase):
    def test_a_test_that_waits_for_a_process_fails_and_others_go_on(self):
        code, out, left = limited("child")
        self.assertEqual(code, 1, out)
        self.assertIn("planted.Planted.test_hangs isn't over after 0.05 minutes", out)
        self.assertRegex(out, r'File ".*planted.py", line \d+ in test_hangs')
        self.assertRegex(out, r"-- process \d+, in \S+: sleep 1000")
        self.assertRegex(out, r"test_is_over_soon .*\.\.\. ok")
        self.assertIn("FAILED (errors=1)", out)
        self.assertEqual(left, [])

    def test_a_test_that_waits_for_another_thread_fails(self):
        code, out, _ = limited("thread")
        self.assertEqual(code, 1, out)
        self.assertIn("FAILED (errors=1)", out)

    def test_one_that_takes_no_notice_ends_the_run(self):
        code, out, _ = limited("deaf")
        self.assertEqual(code, 1, out)
        self.assertIn("planted.Planted.test_hangs still doesn't end: ending the whole run", out)

    def test_so_does_what_is_done_for_a_class(self):
        code, out, _ = limited("class")
        self.assertEqual(code, 1, out)
        self.assertIn("what is done before the first test isn't over", out)

    def test_nothing_happens_to_tests_that_are_over_in_time(self):
        code, out, _ = limited("")
        self.assertEqual(code, 0, out)


class EndTest(unittest.TestCase):
    def test_where_suites_run_beside_each_other_only_the_processes_of_one_end(self):
        with tempfile.TemporaryDirectory() as folder:
            started = []
            for suite in ("OneSuite", "OtherSuite"):
                place = pathlib.Path(folder, f"hpc-{suite}-1")
                place.mkdir()
                # A process that is started in another directory belongs to the suite, too.
                script = "cd / && exec sh -c 'sleep 1000; true'"
                started.append(subprocess.Popen(["sh", "-c", f"({script}); true"], cwd=place))
            one, other = started
            for shell in started:
                while not any(below.command == "sleep 1000" for below in processes.of("A=B", shell.pid)):
                    time.sleep(0.01)
            command = [HERE.parent / "end", "A=B", str(os.getpid()), "--about", "OneSuite"]
            asked = subprocess.run(command, capture_output=True, text=True, check=True)
            try:
                self.assertEqual(one.wait(timeout=60), -signal.SIGKILL, asked.stdout)
                self.assertIsNone(other.poll(), asked.stdout)
                self.assertEqual(len(re.findall(": sleep 1000$", asked.stdout, re.MULTILINE)), 1, asked.stdout)
            finally:
                processes.end("A=B", other.pid)
                other.kill()
                other.wait()


class WithinTest(unittest.TestCase):
    def within(self, minutes, script):
        return run(str(HERE.parent / "within"), minutes, "sh", "-c", script)

    def test_a_command_that_hangs_ends_with_its_daemons(self):
        code, out, left = self.within("0.03", "setsid sh -c 'sleep 1000 & sleep 0.1' & sleep 1001")
        self.assertEqual(code, 1, out)
        for seconds in (1000, 1001):
            self.assertTrue(re.search(rf"-- process \d+, in \S+: sleep {seconds}", out), out)
        self.assertIn("took more than 0.03 minutes, and was ended", out)
        self.assertEqual(left, [])

    def test_logs_and_threads_of_what_hangs_are_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "Hangs.java")
            source.write_text(
                "class Hangs { public static void main(String[] a) throws Exception {"
                ' System.out.println("the last word"); forEver(); }'
                " static void forEver() throws Exception { Thread.sleep(1000000); } }",
                encoding="utf-8",
            )
            code, out, _ = self.within("0.3", f"exec java {source} >{folder}/said.log")
        self.assertEqual(code, 1, out)
        self.assertIn(f"lines of {folder}/said.log\nthe last word", out)
        self.assertIn("at Hangs.forEver", out)

    def test_sigterm_ends_what_the_command_started_too(self):
        # The command itself sends it, as early as can be.
        code, out, left = self.within("1", "setsid sleep 1002 & kill -TERM $PPID; exec sleep 1003")
        self.assertEqual(code, -signal.SIGTERM % 256, out)
        self.assertEqual(left, [])

    def test_the_exit_code_of_others_is_passed_on(self):
        self.assertEqual(self.within("1", "exit 7")[0], 7)


if __name__ == "__main__":
    unittest.main()
