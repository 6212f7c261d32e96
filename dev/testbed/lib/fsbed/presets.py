"""Presets: named settings in pfs/presets.conf. `like` takes another preset's settings first."""

import configparser
import os

from fsbed.refused import Refused

FILE = os.path.join(os.path.dirname(__file__), "..", "..", "pfs", "presets.conf")


def _parser():
    parser = configparser.ConfigParser(interpolation=None, inline_comment_prefixes=("#",))
    parser.optionxform = str
    with open(FILE, encoding="utf-8") as f:
        parser.read_file(f)
    return parser


def names():
    return _parser().sections()


def load(name):
    """Returns the preset's settings as {key: number}."""
    parser = _parser()
    if name not in parser:
        raise Refused(f"no preset '{name}'; there are {', '.join(names())}")
    section = parser[name]
    settings = load(section["like"]) if "like" in section else {}
    settings.update({key: float(value) for key, value in section.items() if key != "like"})
    return settings
