"""The declared settings as text: a page of the documentation, and a site file to start from."""

import textwrap

from spark_hpc.settings import ALL

_HEAD = """\
# Settings of a site

`conf/site.conf` sets these for all users of an installation. A user's own `~/.config/spark-hpc.conf`
and `--set KEY=VALUE` override it, except for settings that are *the site's alone*.
`spark-hpc settings` prints this table, and `site/make-settings-page` writes it to this page; a test
compares them.

| key | default | values | who | |
|---|---|---|---|---|
"""


def page():
    return _HEAD + "".join(
        f"| `{s.key}` | {f'`{s.default}`' if s.default else 'nothing'} | {s.kind.allowed} "
        f"| {'site, user' if s.users else 'the site alone'} | {s.text} |\n" for s in ALL)


def site_file():
    parts = ["# The site's settings of Spark-HPC, for all its versions in this prefix. Every line is\n"
             "# a default; remove the # to change it. Users override what isn't the site's alone.\n"]
    for s in ALL:
        alone = "" if s.users else " (The site's alone.)"
        words = textwrap.fill(s.text + alone, 96, initial_indent="# ", subsequent_indent="# ")
        allowed = s.kind.allowed.replace("`", "")
        parts.append(f"\n{words}\n# It takes {allowed}.\n#{s.key} = {s.default}".rstrip() + "\n")
    return "".join(parts)
