"""The kinds of values of settings: each describes its values in words, and reads a value or raises
ValueError."""

import collections
import os
import re

Kind = collections.namedtuple("Kind", "allowed read")

_UNITS = {"k": 10, "m": 20, "g": 30, "t": 40}


def choice(*words):
    return Kind(", ".join(f"`{w}`" for w in words[:-1]) + f" or `{words[-1]}`", _one_of(words))


def _one_of(words):
    def read(text):
        if text not in words:
            raise ValueError
        return text
    return read


def whole(least, most):
    def read(text):
        number = int(text)
        if not least <= number <= most:
            raise ValueError
        return number
    return Kind(f"a whole number from {least:,} to {most:,}", read)


def share(least, most):
    def read(text):
        number = float(text)
        if not least <= number <= most:
            raise ValueError
        return number
    return Kind(f"a share from {least:g} to {most:g}", read)


def _bytes(text):
    match = re.match(r"([1-9]\d*)([kmgt])\Z", text)
    if not match:
        raise ValueError
    return int(match.group(1)) << _UNITS[match.group(2)]


def _words(text):
    words = [word.strip() for word in text.split(",")]
    if not all(words) or any(re.search(r"\s", word) for word in words):
        raise ValueError
    return words


def _maybe(read, nothing):
    return lambda text: read(text) if text else nothing


def _paths(text):
    paths = _words(text)
    if not all(path.startswith(("/", "$")) for path in paths):
        raise ValueError
    return paths


def _path(text):
    if not os.path.isabs(text) or text != text.strip():
        raise ValueError
    return text


def _one_path(text):
    paths = _paths(text)
    if len(paths) != 1:
        raise ValueError
    return paths[0]


def _striped_place(text):
    """(the path, its suffix such as `?stripes=4` or nothing)."""
    place, mark, options = _one_path(text).partition("?")
    if mark and not re.match(r"stripes=(-1|[1-9]\d{0,3})\Z", options):
        raise ValueError
    return place, mark + options


def _program(text):
    if not re.match(r"[\w./+-]+\Z", text):
        raise ValueError
    return text


def _ports(text):
    """(first, last), or None for any."""
    if text == "any":
        return None
    match = re.match(r"(\d+)-(\d+)\Z", text)
    if not match:
        raise ValueError
    first, last = int(match.group(1)), int(match.group(2))
    if not 1024 <= first <= last - 20 <= 65535 - 20:
        raise ValueError
    return first, last


def _module_name(text):
    if not re.match(r"[A-Za-z0-9][\w.+-]*\Z", text):
        raise ValueError
    return text


def _modules(text):
    names = _words(text)
    if not all(re.match(r"[A-Za-z0-9][\w.+/-]*\Z", name) for name in names):
        raise ValueError
    return names


BYTES = Kind("bytes, such as `2g`", _bytes)
PATTERNS = Kind("names with `*` and `?`, separated by commas", _words)
PATH = Kind("an absolute path, or nothing", _maybe(_path, None))
PATHS = Kind("absolute paths or `$VARIABLE`s, separated by commas", _paths)
PLACE = Kind("an absolute path, which may begin with a `$VARIABLE`", _one_path)
PLACE_OR_NONE = Kind(PLACE.allowed + ", or nothing", _maybe(_one_path, None))
STRIPED_PLACE = Kind("an absolute path, which may begin with a `$VARIABLE` and end with `?stripes=4`",
                     _striped_place)
PORTS = Kind("`any`, or 21 or more ports as `FIRST-LAST`, from 1024 to 65535", _ports)
PROGRAM = Kind("a program's name or absolute path", _program)
MODULE = Kind("a module's name: letters, digits and `._+-`", _module_name)
MODULES = Kind("names of modules, separated by commas, or nothing", _maybe(_modules, []))
