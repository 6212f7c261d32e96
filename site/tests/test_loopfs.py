"""hpc-loopfs: a node's own file system in an image, also on the testbed's shared ones; and its end."""

import glob
import json
import os
import pathlib
import pwd
import shutil
import stat
import sys
import tempfile
import time
import unittest

from site_case import SITE, SiteCase, skip_or_fail
from spark_hpc import file_systems

TESTBED = str(pathlib.Path(SITE).parent / "dev" / "testbed")
sys.path.insert(0, os.path.join(TESTBED, "lib"))
from fsbed import needs  # noqa: E402

NOBODY = pwd.getpwnam("nobody")


class LoopfsCase(SiteCase):
    def setUp(self):
        super().setUp()
        self.home = self.make_distribution()
        self.point = self.at("mnt")

    def loopfs(self, *arguments, check=True, become=()):
        return self.run_program(*become, os.path.join(self.home, "sbin", "hpc-loopfs"), *arguments,
                                check=check)

    def require(self, *more):
        why = needs.first(needs.root(), needs.loop_devices(), needs.file_system("xfs"),
                          needs.program("mkfs.xfs", "xfsprogs"), *more)
        if why:
            skip_or_fail(why)
        self.addCleanup(self.loopfs, "unmount", self.point, check=False)

    def images(self):
        """Of loop devices that this test has made."""
        found = []
        for path in glob.glob("/sys/block/loop*/loop/backing_file"):
            with open(path, encoding="utf-8") as f:
                found.append(f.read().strip())
        return [name for name in found if os.path.basename(self.directory) in name]

    def assert_refused(self, text, *arguments, **named):
        done = self.loopfs(*arguments, check=False, **named)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, rf"\Ahpc-loopfs: [^\n]*{text}[^\n]*\n\Z")


class MountTest(LoopfsCase):
    def setUp(self):
        super().setUp()
        self.require()
        self.image = self.at("n0.img")

    def mount(self, *more):
        self.loopfs("mount", self.image, self.point, "--size", "300m", *more)

    def test_it_is_the_nodes_own_and_its_users(self):
        self.mount("--user", "nobody")
        self.assertEqual(file_systems.kind(self.point), ("local", "xfs"))
        found = os.stat(self.point)
        self.assertEqual((found.st_uid, stat.S_IMODE(found.st_mode)), (NOBODY.pw_uid, 0o700))
        self.assertEqual(stat.S_IMODE(os.stat(self.image).st_mode), 0o600)
        self.assertLess(os.stat(self.image).st_blocks * 512, 100 << 20, "it is sparse")
        with open(os.path.join(self.point, "f"), "wb") as f:
            f.write(b"x" * 1000)

    def test_without_a_user_it_is_everybodys_as_tmp_is(self):
        self.mount()
        self.assertEqual(stat.S_IMODE(os.stat(self.point).st_mode), 0o1777)

    def test_unmount_leaves_nothing_though_a_file_is_open(self):
        self.mount()
        held = os.open(os.path.join(self.point, "f"), os.O_WRONLY | os.O_CREAT)
        try:
            self.loopfs("unmount", self.point)
            self.assertFalse(os.path.ismount(self.point))
            self.assertFalse(os.path.exists(self.image))
            with self.assertRaises(OSError):
                os.write(held, b"x")
        finally:
            os.close(held)
        deadline = time.monotonic() + 20
        while self.images() and time.monotonic() < deadline:
            time.sleep(0.1)
        self.assertEqual(self.images(), [], "the device goes with the last process")

    def test_what_is_there_is_not_touched(self):
        self.put("n0.img", "precious")
        self.assert_refused("n0.img is there: each node and job needs one of its own", "mount",
                            self.image, self.point, "--size", "300m")
        self.assertEqual(self.get("n0.img"), "precious")
        os.unlink(self.image)
        self.mount()
        self.assert_refused("is mounted already", "mount", self.at("n1.img"), self.point, "--size",
                            "300m")
        self.assertFalse(os.path.exists(self.at("n1.img")))

    def test_what_is_wrong_is_said_and_nothing_is_left(self):
        for text, arguments in (("--size 1g5: it takes", ["--size", "1g5"]),
                                ("at least 300m", ["--size", "1m"]),
                                ("--user qq: there is no such user",
                                 ["--size", "300m", "--user", "qq"])):
            self.assert_refused(text, "mount", self.image, self.point, *arguments)
        self.assert_refused("isn't an hpc-loopfs", "unmount", self.directory)
        self.assert_refused("isn't an hpc-loopfs", "unmount", "/proc")
        self.assertFalse(os.path.exists(self.image))


class SharedTest(LoopfsCase):
    def test_creates_in_it_are_no_requests_to_the_shared_file_system(self):
        self.require(needs.fuse_device(), needs.library("fuse3 >= 3.12", "libfuse3-dev"),
                     needs.library("jansson", "libjansson-dev"), needs.program("gcc", "gcc"))
        base = tempfile.mkdtemp(prefix="site-loopfs-", dir="/dev/shm")
        self.addCleanup(shutil.rmtree, base)
        testbed = [os.path.join(TESTBED, "testbed"), "pfs"]
        at = ["--base", os.path.join(base, "pfs")]
        out = self.run_program(*testbed, "start", "--nodes", "1", *at).stdout
        self.addCleanup(self.run_program, *testbed, "stop", *at)
        mounted = out.split()[1]
        self.addCleanup(self.loopfs, "unmount", self.point, check=False)
        self.loopfs("mount", os.path.join(mounted, "n0.img"), self.point, "--size", "300m")
        self.run_program(*testbed, "reset", *at)
        for number in range(200):
            with open(os.path.join(self.point, f"f{number}"), "wb") as f:
                f.write(b"x")
        totals = json.loads(self.run_program(*testbed, "stats", "--json", *at).stdout)["totals"]
        self.assertEqual((totals.get("create", 0), totals.get("open", 0)), (0, 0), totals)
        self.loopfs("unmount", self.point)
        self.assertEqual(os.listdir(mounted), [])


class UnprivilegedTest(LoopfsCase):
    def test_an_ordinary_user_is_told_who_can(self):
        become = ["setpriv", f"--reuid={NOBODY.pw_uid}", f"--regid={NOBODY.pw_gid}",
                  "--clear-groups"] if os.getuid() == 0 else []
        os.chmod(self.directory, 0o755)
        self.assert_refused("root is needed to mount: run it in the scheduler's prolog", "mount",
                            "/tmp/x.img", "/tmp/x", "--size", "1g", become=become)


class ContainerTest(unittest.TestCase):
    """No image can be built here; what the definition names is there, at least."""

    def test_what_the_definition_copies_and_runs_is_in_the_distribution(self):
        text = (pathlib.Path(SITE) / "containers" / "spark-hpc.def").read_text(encoding="utf-8")
        sections = {line[1:].split()[0] for line in text.splitlines() if line.startswith("%")}
        self.assertEqual(sections, {"files", "post", "environment", "runscript", "test"})
        source = pathlib.Path(SITE).parent / "dev" / "distribution"
        self.assertIn("    . /opt/spark-hpc\n", text)
        self.assertIn("exec /opt/spark-hpc/bin/spark-submit", text)
        self.assertTrue((source / "bin" / "spark-submit").exists())
        self.assertTrue((pathlib.Path(SITE) / "lib" / "spark_hpc").is_dir())


if __name__ == "__main__":
    unittest.main()
