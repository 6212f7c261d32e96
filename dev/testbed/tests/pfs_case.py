"""A test case that has a running pfs instance."""

import os
import time

from kind_case import COMMAND, KindCase, load_kind, skip_or_fail  # noqa: F401


class PfsCase(KindCase):
    kind = load_kind("pfs")
    name = "pfs"
    arguments = ()

    def setUp(self):
        super().setUp()
        self.start(*self.arguments)
        self.addCleanup(self.stop)

    def ask(self, verb, **members):
        return self.instance.ask(verb, **members)

    def reset(self):
        self.settled()
        self.ask("reset")

    def settled(self):
        """Returns the statistics once they no longer change: the kernel releases directories a little later."""
        before = self.ask("stats")
        while True:
            time.sleep(0.02)
            now = self.ask("stats")
            if now == before:
                return now
            before = now

    def totals(self):
        return self.settled()["totals"]

    def requests(self):
        """Returns the totals of requests to servers, without answers from caches."""
        return {kind: n for kind, n in self.totals().items() if not kind.startswith("cached_")}

    def counts(self, node):
        """Returns {kind: count} of one client, for all classes together."""
        kinds = self.settled()["clients"][node]["counts"]
        return {name: sum(classes.values()) for name, classes in kinds.items()
                if not name.startswith("cached_")}

    def assert_errno(self, number, call, *arguments):
        with self.assertRaises(OSError) as caught:
            call(*arguments)
        self.assertEqual(caught.exception.errno, number, os.strerror(caught.exception.errno))
