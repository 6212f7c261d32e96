"""spark-hpc doctor: each thing that is wrong is found, and has a remedy."""

import errno
import hashlib
import json
import os
import pathlib
import re
import tempfile
import unittest
import unittest.mock
import zipfile

from site_case import SITE, SiteCase
from spark_hpc import doctor_scratch, file_systems, places, tier


class DoctorTest(SiteCase):
    def setUp(self):
        super().setUp()
        self.home = self.make_distribution()
        os.mkdir(self.at("scratch"))
        self.settings()
        self.make_java()
        self.set_jar(b"woven")

    def settings(self, *lines):
        self.put("dist/conf/site.conf", "\n".join([
            "network.interfaces = lo", f"scratch.tiers = /nowhere, {self.at('scratch')}",
            "login.policy = allow", *lines, ""]))

    def set_jar(self, content):
        os.makedirs(self.at("dist", "jars"), exist_ok=True)
        digest = hashlib.sha256(b"woven").hexdigest()
        with zipfile.ZipFile(self.at("dist", "jars", "spark-core_2.12-1.jar"), "w") as jar:
            jar.writestr("a/B.class", content)
            jar.writestr("META-INF/spark-hpc/weave.manifest", f"version 1\nclass a/B.class 0 {digest}\n")

    def doctor(self, **environment):
        """(exit code, {subject: [(level, text, remedy)]})"""
        done = self.run_program(
            os.path.join(self.home, "bin", "spark-hpc"), "doctor", "--json", check=False,
            env=self.environment(JAVA_HOME=self.at("jdk"), **environment))
        found = {}
        for finding in json.loads(done.stdout):
            found.setdefault(finding["subject"], []).append(
                (finding["level"], finding["text"], finding["remedy"]))
        self.findings = json.loads(done.stdout)
        return done.returncode, found

    def assert_found(self, subject, level, text, code, **environment):
        got, found = self.doctor(**environment)
        matching = [(lvl, said, remedy) for lvl, said, remedy in found[subject]
                    if re.fullmatch(level, lvl) and re.search(text, said)]
        self.assertTrue(matching, found)
        self.assertEqual(got, code)
        self.assertEqual(all(remedy for lvl, _, remedy in matching if lvl != "ok"), True)

    def test_nothing_wrong_is_code_0(self):
        code, found = self.doctor()
        self.assertEqual(code, 0)
        self.assertEqual(set(found) - {"mounts"}, {"java", "python", "patch", "scratch", "shuffle",
                                                   "run", "limits", "node", "network", "scheduler"})
        for subject in ("java", "patch", "scratch", "shuffle", "network", "scheduler"):
            self.assertEqual({level for level, _, _ in found[subject]}, {"ok"}, found[subject])

    def test_java_that_is_absent_or_of_another_version(self):
        self.make_java("21.0.1")
        self.assert_found("java", "error", "is Java 21, but Spark 3.5 runs on 8, 11 and 17", 1)
        self.make_java("1.8.0_402")
        self.assert_found("java", "ok", "version 8.0_402", 0)
        self.settings("java.home = /nowhere")
        self.assert_found("java", "error", "/nowhere/bin/java: No such file", 1)

    def test_a_patch_that_is_not_as_its_manifest_says(self):
        self.set_jar(b"stock")
        self.assert_found("patch", "error", "1 of 1 classes aren't as the manifest says.*a/B", 1)
        os.unlink(self.at("dist", "jars", "spark-core_2.12-1.jar"))
        self.assert_found("patch", "error", "0 spark-core jars", 1)

    def test_scratch_that_cannot_be_written(self):
        self.settings("scratch.tiers = /nowhere")
        self.assert_found("scratch", "error", "no tier can be used", 1)

    def test_a_place_that_everybody_can_replace(self):
        os.chmod(self.at("scratch"), 0o777)
        self.assert_found("scratch", "warning", "scratch isn't used: everybody can .* in .*scratch$", 1)
        self.assert_found("shuffle", "warning", "scratch isn't used: everybody ", 1, SCRATCH=self.at("scratch"))
        os.chmod(self.at("scratch"), 0o1777)
        self.assert_found("scratch", "ok", "scratch: ", 0)

    def test_what_each_tier_is_for(self):
        with tempfile.TemporaryDirectory(prefix="site-doctor-", dir="/dev/shm") as memory:
            os.mkdir(self.at("beside"))
            scratch = self.at("scratch")
            self.settings(f"scratch.tiers = {memory}, {scratch}, {self.at('beside')}")
            self.assert_found("scratch", "(ok|warning)", f"{memory}: memory .*; (a|no) tier", 0)
            self.assert_found("scratch", "ok", f"{scratch}: .*; Spark's own files go here$", 0)
            self.assert_found("scratch", "ok",
                              f"beside: .*; passed over, since {scratch} is on the same file system$", 0)

    def test_a_shuffle_directory_that_is_one_nodes_own_or_cannot_be_written(self):
        self.assert_found("shuffle", "warning", "scratch: (local|memory) ", 0, SCRATCH=self.at("scratch"))
        self.assert_found("shuffle", "warning", "/nowhere can't be written", 0, SCRATCH="/nowhere")
        self.assert_found("shuffle", "warning", "/lustrr/me isn't there, nor is /lustrr", 0, SCRATCH="/lustrr/me")

    def test_a_tier_whose_parent_is_not_there_either_is_named(self):
        self.settings(f"scratch.tiers = /lustrr/me, {self.at('scratch')}")
        self.assert_found("scratch", "warning", "/lustrr/me isn't there, nor is /lustrr", 0)
        self.settings(f"scratch.tiers = $NOT_SET, /nowhere, {self.at('scratch')}")
        self.assert_found("scratch", "ok", "/nowhere isn't there, and passed over", 0)

    def test_a_run_directory_whose_parent_is_not_there_is_an_error(self):
        self.settings("run.directory = /lustrr/me")
        self.assert_found("run", "error", "run.directory = /lustrr/me: there is no directory /lustrr$", 1)

    def test_a_tier_is_measured_and_its_quota_has_a_command(self):
        self.doctor()
        details = next(f["details"] for f in self.findings
                       if f["subject"] == "scratch" and f["details"])
        self.assertEqual(set(details), {"path", "kind", "type", "free", "files", "microseconds",
                                        "locks", "quota"})
        self.assertTrue(details["locks"])
        self.assertEqual(set(details["microseconds"]), {"create", "open", "write 1 MiB"})
        self.assertTrue(all(time > 0 for time in details["microseconds"].values()))
        self.assertEqual(os.listdir(self.at("scratch")), [], "nothing of it stays")

    def test_an_interface_that_is_not_there(self):
        self.settings("network.interfaces = hsn9")
        self.assert_found("network", "error", "network.interfaces = hsn9", 1)

    def test_slurms_commands_that_are_not_on_the_path(self):
        self.assert_found("scheduler", "error", "without srun", 1, SLURM_JOB_ID="1",
                          PATH=self.at("jdk", "bin") + ":" + self.tools())

    def test_without_json_each_finding_is_a_line_with_its_remedy(self):
        self.make_java("21.0.1")
        out = self.run_program(os.path.join(self.home, "bin", "spark-hpc"), "doctor", check=False,
                               env=self.environment(JAVA_HOME=self.at("jdk"))).stdout
        self.assertRegex(out, r"(?m)^error +java +.* is Java 21, but Spark 3.5 runs on 8, 11 and 17: set java.home ")


class LocksTest(SiteCase):
    def test_a_mount_without_locks_is_said_with_its_remedy(self):
        # As Lustre answers where it is mounted without `flock`.
        with unittest.mock.patch("fcntl.lockf", side_effect=OSError(errno.ENOSYS, "not implemented")):
            self.assertFalse(tier.has_locks(self.at()))
        self.assertTrue(tier.has_locks(self.at()))
        self.assertEqual(os.listdir(self.at()), [])
        found = doctor_scratch.unlocked("scratch", "/lustre")
        self.assertEqual(found.level, "warning")
        self.assertIn("flock", found.remedy)


class FileSystemsTest(SiteCase):
    def kind(self, path, *mounts):
        table = self.put("mountinfo", "".join(
            f"36 35 98:0 / {point} rw master:1 - {type_} {source[0] if source else 'dev'} rw\n"
            for point, type_, *source in mounts))
        return file_systems.kind(path, table)

    def test_the_longest_and_last_mount_decides(self):
        mounts = [("/", "ext4"), ("/lus", "lustre"), ("/lus/node", "xfs"), ("/dev/shm", "tmpfs"),
                  ("/lus", "gpfs")]
        self.assertEqual(self.kind("/lus/a", *mounts), ("shared", "gpfs"))
        self.assertEqual(self.kind("/lus/node/a", *mounts), ("local", "xfs"))
        self.assertEqual(self.kind("/lustre", *mounts), ("local", "ext4"))
        self.assertEqual(self.kind("/dev/shm/x", *mounts), ("memory", "tmpfs"))

    def test_one_in_user_space_may_say_its_name_before_its_source_only(self):
        self.assertEqual(self.kind("/mfs/a", ("/mfs", "fuse", "mfs#master:9421")), ("shared", "fuse.mfs"))
        self.assertEqual(self.kind("/image", ("/image", "fuse", "squashfuse")), ("local", "fuse"))

    def test_places_are_directories_of_ones_own_or_with_room_for_one_by_kind(self):
        for name in ("lus", "local", "a b"):
            os.mkdir(self.at(name))
        table = self.put("mountinfo", "".join(
            f"36 35 98:0 / {point} rw - {type_} dev rw\n" for point, type_ in (
                ("/proc", "proc"), (self.at("lus"), "lustre"), (self.at("local"), "xfs"),
                (self.at("a b").replace(" ", "\\040"), "xfs"), (self.at("gone"), "xfs"),
                ("/etc", "squashfs"))))
        self.assertEqual(places.places(table), {"memory": [], "local": [self.at("local"), self.at("a b")],
                                              "shared": [self.at("lus")]})

    def test_what_the_system_or_a_test_has_mounted_for_itself_is_no_place(self):
        for point, type_ in (("/sys/fs/cgroup", "tmpfs"), ("/run/user/1000", "tmpfs"), ("/run/x", "xfs"),
                             ("/dev", "tmpfs"), ("/dev/shm/test-1/0", "tmpfs"), ("/tmp/test-1", "tmpfs"),
                             ("/mnt/m", "ramfs"), ("/boot", "ext4"), ("/etc/x", "ext4"), ("/x", "overlay")):
            self.assertFalse(places.is_for_files(point, type_, file_systems.kind_of(type_)), point)
        for point, type_ in (("/dev/shm", "tmpfs"), ("/tmp", "tmpfs"), ("/mnt/m", "tmpfs"), ("/tmp/d", "xfs"),
                             ("/running", "ext4"), ("/lus", "lustre")):
            self.assertTrue(places.is_for_files(point, type_, file_systems.kind_of(type_)), point)

    def test_the_quota_is_asked_of_who_keeps_it(self):
        self.assertEqual(tier.quota("/lus/me", "lustre"), "lfs quota -h /lus/me")
        self.assertIsNone(tier.quota("/dev/shm", "tmpfs"))

    def test_the_types_are_those_of_the_engine(self):
        source = (pathlib.Path(SITE).parent / "engine/src/main/scala/org/sparkhpc/tier"
                  / "FileSystemKind.scala").read_text(encoding="utf-8")
        sets = {name: set(re.findall(r'"([^"]+)"', text)) for name, text in re.findall(
            r"val (\w+) =\s*Set\(([^)]*)\)", source)}
        shared = sets["shared"] - {"fuse."} | {f"fuse.{n}" for n in sets["sharedInUserSpace"]}
        self.assertEqual((file_systems.MEMORY, file_systems.SHARED), (sets["memory"], shared))


if __name__ == "__main__":
    unittest.main()
