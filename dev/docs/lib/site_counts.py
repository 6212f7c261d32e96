"""Writes the numbers of sites into pages: the text between two marks, `<!-- sites NAME -->` and `<!-- end -->`.

Each NAME below must be on a page at least once; otherwise a check of the marks would pass without any mark.
"""

import re

import site_list

MARK = re.compile(r"(<!-- sites (\S+) -->)(.*?)(<!-- end -->)", re.DOTALL)


def plural(count, noun):
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def texts(sites):
    """Returns each mark's text, by its name."""
    ours = site_list.woven(sites)
    counts = {kind: sum(site.count for site in ours if site.kind == kind) for kind in ("new", "call", "prologue")}
    hooked = ", ".join(f"`{site.target_name}`" for site in ours if site.kind == "prologue")
    left_alone = sum(site.count for site in sites if site.is_left_alone)
    return {
        "sum": f"{plural(counts['new'], 'constructor')} and {plural(counts['call'], 'call')}, "
        f"{sum(site.instructions for site in ours)} instructions",
        "hooks": f"{plural(counts['prologue'], 'hook')}, before {hooked}",
        "left-alone": str(left_alone),
        **{kind: str(count) for kind, count in counts.items()},
    }


def filled(page, wanted):
    """Returns the page with each mark's text, and the names of its marks. Marks of other names stay as they are."""
    names = [match.group(2) for match in MARK.finditer(page)]
    return MARK.sub(lambda m: m.group(1) + wanted.get(m.group(2), m.group(3)) + m.group(4), page), names


def stale(pages, sites):
    """Yields what is wrong in the pages, {name: text}."""
    wanted, seen = texts(sites), set()
    for name, page in pages.items():
        now, names = filled(page, wanted)
        seen.update(names)
        if now != page:
            yield f"{name}: doesn't have the counts of the site list; dev/make-site-counts writes them"
        for other in sorted(set(names) - set(wanted)):
            yield f"{name}: the mark 'sites {other}' is none of: {', '.join(wanted)}"
    for name in sorted(set(wanted) - seen):
        yield f"no page of {', '.join(pages)} has the mark 'sites {name}'"
