"""Settings: declared once, overridden in order, and refused with file, key, value and remedy."""

import os
import unittest

from site_case import SITE, SiteCase
from spark_hpc import page, site_conf
from spark_hpc.refused import Refused
from spark_hpc.settings import ALL


class SettingsTest(SiteCase):
    def load(self, *assignments):
        return site_conf.load(self.at("dist"), self.environment(), assignments)

    def site(self, text):
        return self.put("dist/conf/site.conf", text)

    def user(self, text):
        return self.put("home/.config/spark-hpc.conf", text)

    def assert_refused(self, text, *assignments):
        with self.assertRaises(Refused) as refused:
            self.load(*assignments)
        self.assertEqual(str(refused.exception), text)

    def test_later_ones_override_earlier_ones(self):
        self.assertEqual(self.load()["driver.memory"], 1 << 30)
        self.site("driver.memory = 2g  # more\n\n")
        self.assertEqual(self.load()["driver.memory"], 2 << 30)
        self.user("driver.memory=3g")
        self.assertEqual(self.load()["driver.memory"], 3 << 30)
        self.assertEqual(self.load("driver.memory=4g")["driver.memory"], 4 << 30)

    def test_what_is_wrong_is_named_with_file_key_value_and_remedy(self):
        path = self.site("# ours\nlogin.policy = maybe\n")
        self.assert_refused(f"{path}, line 2: login.policy = maybe: it takes `auto`, `refuse`, `limit` or "
                            "`allow`: correct it")
        self.site("logn.policy = allow")
        self.assert_refused(f"{path}, line 1: logn.policy = allow: there is no such key: did you mean "
                            "login.policy?")
        self.site("nonsense")
        self.assert_refused(f"{path}, line 1: nonsense: a line is key = value: correct it, or put a # "
                            "before it")
        self.site("")
        self.assert_refused("--set: qqqq = 1: there is no such key: spark-hpc settings lists them",
                            "qqqq=1")

    def test_users_cannot_change_what_is_the_sites_alone(self):
        path = self.user("login.policy = allow")
        why = "login.policy = allow: this one is the site's alone: remove it, or ask your support"
        self.assert_refused(f"{path}, line 1: {why}")
        self.user("")
        self.assert_refused(f"--set: {why}", "login.policy=allow")

    def test_each_kind_of_value_is_checked(self):
        bad = {"driver.memory": ("1", "1.5g", "0g", "g"), "executors.cores": ("0", "many", "1.5"),
               "memory.overhead": ("1", "-0.1", "x"), "java.home": ("jdk", "~/jdk"),
               "network.interfaces": ("", "a,,b", "a b"),
               "network.ports": ("80-200", "2000", "2000-2010", "60000-70000"),
               "scratch.tiers": ("tmp", "", "/a, b"), "run.directory": ("/a, /b", "runs"),
               "shuffle.directory": ("runs", "/a?stripe=4", "/a?stripes=0", "/a?stripes=-2"),
               "python": ("", "python 3"), "module.name": ("a/b", ""), "module.load": ("java 17",)}
        for key, values in bad.items():
            for value in values:
                with self.subTest(key=key, value=value):
                    self.site(f"{key} = {value}\n")
                    with self.assertRaisesRegex(Refused, f"line 1: {key} = .*: it takes "):
                        self.load()

    def test_a_path_may_begin_with_a_variable(self):
        self.assertEqual(site_conf.expand("$HOME/x", {"HOME": "/h"}), "/h/x")
        self.assertEqual(site_conf.expand("${TMPDIR}", {"TMPDIR": "/t"}), "/t")
        self.assertIsNone(site_conf.expand("$SLURM_TMPDIR", {}))

    def test_a_site_file_to_begin_with_says_every_default_and_changes_nothing(self):
        text = page.site_file()
        self.site(text)
        before = site_conf.SiteConf().members()
        self.assertEqual(self.load().members(), before)
        self.site("".join(line[1:] if line.startswith("#") and not line.startswith("# ") else line
                          for line in text.splitlines(True)))
        self.assertEqual([member[:2] for member in self.load().members()],
                         [member[:2] for member in before])

    def test_the_page_is_up_to_date(self):
        with open(os.path.join(SITE, "..", "docs", "site-settings.md"), encoding="utf-8") as f:
            self.assertEqual(f.read(), page.page(), "run site/make-settings-page")

    def test_keys_are_in_order(self):
        self.assertEqual([s.key for s in ALL], sorted(s.key for s in ALL))


if __name__ == "__main__":
    unittest.main()
