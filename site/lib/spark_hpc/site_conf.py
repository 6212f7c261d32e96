"""The effective settings: the defaults, overridden by the site's file, then the user's, then --set.

A file has lines `key = value`; # begins a comment. An undeclared key, a key of the site alone in a user's
file, and a value that isn't allowed are refused, with file and line.
"""

import difflib
import os

from spark_hpc.refused import Refused
from spark_hpc.settings import ALL, BY_KEY

_DEFAULT = "the default"


class SiteConf:
    def __init__(self):
        self._values = {s.key: s.kind.read(s.default) for s in ALL}
        self._texts = {s.key: s.default for s in ALL}
        self._places = {s.key: _DEFAULT for s in ALL}

    @classmethod
    def of(cls, members):
        """The settings that another process has read: `members` is what its members() returned."""
        conf = cls()
        for key, text, place in members:
            conf.set(key, text, place, users=False)
        return conf

    def members(self):
        """[key, text, place] of each setting."""
        return [[s.key, self._texts[s.key], self._places[s.key]] for s in ALL]

    def __getitem__(self, key):
        return self._values[key]

    def is_default(self, key):
        return self._places[key] == _DEFAULT

    def refusal(self, key, why):
        """An error about a value that is well formed, but doesn't work here."""
        return Refused(f"{self._places[key]}: {key} = {self._texts[key]}: {why}")

    def set(self, key, text, place, users):
        if key not in BY_KEY:
            near = difflib.get_close_matches(key, BY_KEY, 1)
            hint = f"did you mean {near[0]}?" if near else "spark-hpc settings lists them"
            raise Refused(f"{place}: {key} = {text}: there is no such key: {hint}")
        setting = BY_KEY[key]
        if users and not setting.users:
            raise Refused(f"{place}: {key} = {text}: this one is the site's alone: remove it, or "
                          "ask your support")
        try:
            value = setting.kind.read(text)
        except ValueError:
            raise Refused(f"{place}: {key} = {text}: it takes {setting.kind.allowed}: correct "
                          "it") from None
        self._values[key] = value
        self._texts[key] = text
        self._places[key] = place

    def read(self, path, users):
        """Reads a file; a missing file is no error."""
        try:
            with open(path, encoding="utf-8") as f:
                lines = f.read().splitlines()
        except (FileNotFoundError, NotADirectoryError):
            return
        except (OSError, UnicodeDecodeError) as why:
            raise Refused(f"{path}: can't be read: {getattr(why, 'strerror', why)}: make it a text "
                          "file that its users can read") from None
        for number, line in enumerate(lines, 1):
            line = line.split("#", 1)[0].strip()
            if not line:
                continue
            place = f"{path}, line {number}"
            key, equals, value = (part.strip() for part in line.partition("="))
            if not equals:
                raise Refused(f"{place}: {line}: a line is key = value: correct it, or put a # "
                              "before it")
            self.set(key, value, place, users)


def site_file(home):
    return os.path.join(home, "conf", "site.conf")


def users_file(env):
    config = env.get("XDG_CONFIG_HOME") or os.path.join(env.get("HOME", "/"), ".config")
    return os.path.join(config, "spark-hpc.conf")


def load(home, env, assignments=()):
    """The settings of this environment's user; `assignments` are KEY=VALUE of --set."""
    conf = SiteConf()
    conf.read(site_file(home), users=False)
    conf.read(users_file(env), users=True)
    for assignment in assignments:
        key, equals, value = (part.strip() for part in assignment.partition("="))
        if not equals:
            raise Refused(f"--set {assignment}: KEY=VALUE is wanted")
        conf.set(key, value, "--set", users=True)
    return conf


def expand(path, env):
    """`path` with the value of the variable that it begins with; None if that variable isn't set."""
    if not path.startswith("$"):
        return path
    name, slash, rest = path[1:].partition("/")
    value = env.get(name.strip("{}"))
    return value + slash + rest if value else None
