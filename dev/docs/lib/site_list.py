"""Reads the sites of a *.sites file, and gives them their names on pages. The class `Site` of dev/weaver describes the
file."""

import collections
import re

LEFT_ALONE = "-"


class Site(collections.namedtuple("Site", "owner method kind target ours count")):
    """One line of the list."""

    @property
    def is_left_alone(self):
        return self.ours == LEFT_ALONE

    @property
    def owner_name(self):
        """The class that a reader of Spark's source looks for: the outermost one."""
        return re.split(r"\$", self.owner.rpartition(".")[2])[0]

    @property
    def target_name(self):
        """Class, or Class.method."""
        return f"{self.owner_name}.{bare(self.method)}" if self.kind == "prologue" else name(self.target)

    @property
    def ours_name(self):
        return name(self.ours)

    @property
    def instructions(self):
        """The instructions that WovenJarSuite counts: a construction has two, `new` and the constructor's call."""
        return self.count * {"new": 2, "call": 1, "prologue": 0}[self.kind]


def bare(method):
    """Returns a method without its descriptor, and without the class that Scala puts before methods that it makes
    public."""
    return method.partition("(")[0].rpartition("$$")[2].replace("$eq", "=")


def name(reference):
    owner, _, method = reference.partition("#")
    simple = owner.rpartition(".")[2].rstrip("$").rpartition("$")[2]
    return f"{simple}.{bare(method)}" if method else simple


def read(file):
    lines = (line.split() for line in file.read_text(encoding="utf-8").splitlines())
    return [Site(*line[:5], int(line[5])) for line in lines if line and not line[0].startswith("#")]


def woven(sites):
    """Returns the re-pointed sites. The others are listed so that nobody forgets them."""
    return [site for site in sites if not site.is_left_alone]
