"""Prints statistics. All kinds answer in the form of pfs, as far as they count."""

import json


def of_nodes(nodes):
    """Returns the answer's members for {kind: count} of each node. These file systems don't tell files apart,
    so the class of all files is "other"."""
    totals = {}
    for node in nodes:
        for kind, count in node.items():
            totals[kind] = totals.get(kind, 0) + count
    clients = [{"client": n, "counts": {kind: {"other": count} for kind, count in node.items()}}
               for n, node in enumerate(nodes)]
    return {"totals": totals, "clients": clients}


def by_prefix(counts, prefixes):
    """Returns the counts without any of the prefixes, then for each prefix its counts, with the prefix removed."""
    parts = [{name[len(prefix):]: n for name, n in counts.items() if name.startswith(prefix)}
             for prefix in prefixes]
    plain = {name: n for name, n in counts.items() if not name.startswith(prefixes)}
    return (plain, *parts)


def show(answer, as_json):
    if as_json:
        print(json.dumps(answer, indent=1))
        return
    sides = [f"{answer[f'{side}_requests']:>12} {side}"
             for side in ("metadata", "data") if f"{side}_requests" in answer]
    print(f"{'requests':16}{''.join(sides)}")
    service = answer.get("service", {})
    for kind, count in answer["totals"].items():
        print(f"{kind:16}{count:>12}{_served(service.get(kind))}")
    for kind, times in service.items():
        if kind not in answer["totals"]:
            print(f"{kind:16}{times['count']:>12}{_served(times)}")


def _served(times):
    if not times or times["max_us"] <= 0:
        return ""
    return (f"  service median {times['median_us']:.0f} us, mean {times['mean_us']:.0f},"
            f" wait {times['mean_wait_us']:.0f}")
