"""Checks the picture of the sites in docs/architecture.md: each re-pointed site has an arrow there, and each arrow
belongs to a site.

The picture is the block of code between the marks `<!-- picture of the sites -->` and `<!-- end -->`. Blank lines
divide it into groups. A site's arrow has its target on the left and ours on the right, in a group that names the
site's class.
"""

import re

import site_list

PICTURE = re.compile(r"<!-- picture of the sites -->(.*?)<!-- end -->", re.DOTALL)
ARROW = "->"


def groups(page):
    """Returns the picture's lines by group; none if the page has no picture."""
    lines = [line for picture in PICTURE.findall(page) for line in picture.splitlines() if not line.startswith("```")]
    return [group.splitlines() for group in re.split(r"\n\s*\n", "\n".join(lines)) if group.strip()]


def has(text, name):
    """Returns whether text has the whole name: neither a part of a longer name nor only a method's class."""
    return re.search(rf"(?<![\w.$]){re.escape(name)}(?![\w=])", text)


def shows(group, line, site):
    left, arrow, right = line.partition(ARROW)
    return (arrow and any(has(other.partition(ARROW)[0], site.owner_name) for other in group)
            and has(left, site.target_name) and has(right, site.ours_name))


def missing(page, sites):
    """Yields what is wrong in the page's picture."""
    drawn, ours = groups(page), site_list.woven(sites)
    for site in ours:
        if not any(shows(group, line, site) for group in drawn for line in group):
            yield (f"the picture has no arrow for the site in {site.owner_name}: "
                   f"{site.target_name} {ARROW} {site.ours_name}")
    for group in drawn:
        for line in group:
            if ARROW in line and not any(shows(group, line, site) for site in ours):
                yield f"the picture has an arrow of no site: {line.strip()}"
