"""The blocks of the documentation's pages that users type or write, and what each says it is:

    sh install           by who installs it
    sh login             on a login node
    sh session           inside a job
    sh NAME, python NAME a file to be written: its name has a dot
    sh elsewhere TEST    run by that test, or that suite of dev/e2e
    sh untried           of programs that can't be had here
    conf                 lines of site.conf
"""

import collections
import pathlib
import re

from site_case import SITE

DOCS = pathlib.Path(SITE).parent / "docs"
# Those whose commands are run; site.md has none of this form.
NAMES = ("tutorial", "how-to", "site-classes", "coming-from", "troubleshooting")
Block = collections.namedtuple("Block", "language word text")


def text(name):
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def blocks(name):
    return [Block(*found) for found in re.findall(r"(?ms)^```(\w+) ?([^\n]*)\n(.*?)^```$", text(name))]


def of(name, word):
    return [block.text for block in blocks(name) if block.word == word]


def files(name):
    """{name: content} of the files that a page has its readers write."""
    return {block.word: block.text for block in blocks(name) if "." in block.word}
