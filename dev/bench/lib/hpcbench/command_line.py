"""The command line of dev/bench/run: parses it, measures, and writes the report."""

import argparse
import dataclasses
import datetime
import json
import pathlib
import shlex
import shutil
import sys

from . import (ROOT, ablation, cgroups, environment, libraries, memory, plot, plugins, record, report,
               summary, sweep, variant, workload as workloads)
from .refusal import Refusal
from .session import Session


def parser():
    made = argparse.ArgumentParser(
        prog="dev/bench/run", allow_abbrev=False,
        description="Runs a workload on several scratch file systems with several variants of Spark.",
        epilog="The workload's own options can be given, too; docs/benchmark.md has examples.")
    made.add_argument("--workload", required=True, help=", ".join(plugins.names("workloads")))
    made.add_argument("--variant", default="stock,hpc", metavar="A,B",
                      help="the others are compared with the first; "
                      + ", ".join(plugins.names("variants")))
    made.add_argument("--scratch", default="tmpfs", metavar="KIND[:ARGUMENT],...",
                      help=", ".join(plugins.names("scratch")))
    made.add_argument("--executors", type=int, default=2, metavar="N",
                      help="executors, each on its own node (default: 2)")
    made.add_argument("--cores", type=int, default=1, metavar="N", help="cores of each executor (default: 1)")
    made.add_argument("--heap", default="1g", help="heap of each executor (default: 1g)")
    made.add_argument("--reps", type=int, default=15, metavar="N",
                      help="measured rounds, after a warm-up round (default: 15)")
    made.add_argument("--keep-first", action="store_true",
                      help="no warm-up round; for measurements of request counts only")
    made.add_argument("--sweep", action="append", default=[], metavar="AXIS=V,V",
                      help="measures with each value; may be repeated: " + ", ".join(sweep.AXES))
    made.add_argument("--conf", action="append", default=[], metavar="KEY=VALUE",
                      help="a Spark setting for all runs")
    made.add_argument("--ablate", metavar="VARIANT",
                      help="replaces this variant by one with all its switches off, one with each switch "
                      "alone on, and one with all on")
    made.add_argument("--cold", action="store_true", help="empties caches before each run")
    made.add_argument("--files-on-scratch", action="store_true",
                      help="keeps the input and the results on the scratch, too")
    made.add_argument("--warm-up", type=int, default=0, metavar="N",
                      help="each run does its work N times on a copy of the input first, untimed; with "
                      "--files-on-scratch")
    made.add_argument("--side-by-side", action="store_true",
                      help="runs the variants at the same time, each on its own cores; if there are as many "
                      "scratches as variants, each on its own scratch")
    made.add_argument("--kill-executor", action="store_true",
                      help="kills one executor when the first map stage has ended, instead of what a variant "
                      "does then")
    made.add_argument("--patience", type=int, default=600, metavar="SECONDS", help="limit of one run")
    made.add_argument("--out", type=pathlib.Path, metavar="DIR",
                      help="new directory (default: below target/bench)")
    made.add_argument("--more", action="store_true",
                      help="adds rounds to the same measurement in --out")
    return made


def options_of(its, words):
    """Returns the workload's options, parsed from the arguments that dev/bench/run doesn't know itself."""
    made = argparse.ArgumentParser(prog="dev/bench/run", add_help=False, allow_abbrev=False)
    for name, default in its.options.items():
        made.add_argument(f"--{name}", dest=name, default=default)
    found, unknown = made.parse_known_args(words)
    if unknown:
        raise Refusal(f"{unknown[0]}: neither an option of dev/bench/run nor of the workload, "
                      f"which has {', '.join('--' + name for name in its.options)}")
    return vars(found)


def variants_of(options):
    """Returns {label: Variant}; the one that --ablate names is replaced by its ablations."""
    found = {}
    for name in options.variant.split(","):
        its = variant.load(name)
        label = pathlib.Path(name).stem
        if options.ablate == name:
            found.update(ablation.variants(label, its))
        else:
            found[label] = its
    if options.ablate and options.ablate not in options.variant.split(","):
        raise Refusal(f"--ablate {options.ablate}: not among --variant {options.variant}")
    if options.kill_executor:
        found = {label: dataclasses.replace(its, trigger=variant.KILL) for label, its in found.items()}
    return found


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def at_least(name, value, least):
    if value < least:
        raise Refusal(f"--{name} {value}: at least {least} is wanted")


def run(arguments):
    """Measures and writes the report. Returns exit code 1 if a run failed."""
    options, rest = parser().parse_known_args(arguments)
    for name, least in (("executors", 1), ("cores", 1), ("reps", 1), ("patience", 1)):
        at_least(name, getattr(options, name), least)
    if options.cold and options.side_by_side:
        raise Refusal("--cold: not with --side-by-side, since one variant's run would empty the caches "
                      "during the other's")
    libraries.load_all()
    its = workloads.load(options.workload)
    conf = sweep.settings_of(options.conf)
    if options.warm_up and not (options.files_on_scratch and its.warm_up):
        raise Refusal("--warm-up: wants --files-on-scratch and a workload that can do its work twice: bdb or orders")
    base = sweep.Conditions(options_of(its, rest), options.executors, 1, options.cores,
                            options.heap, conf)
    variants, scratches = variants_of(options), options.scratch.split(",")
    name = pathlib.Path(options.workload).stem
    stamp = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    out = options.out or ROOT / "target" / "bench" / f"{name}-{stamp}"
    if out.exists() and not options.more:
        raise Refusal(f"--out {out}: is there already; name a new directory")
    axes = sweep.axes(options.sweep)
    session = Session(its, variants, scratches, sweep.points(axes), base, options.reps, out,
                      cold=options.cold, files_on_scratch=options.files_on_scratch,
                      warm_up=options.warm_up, first=int(options.keep_first), patience=options.patience,
                      side_by_side=options.side_by_side, say=say)
    about = {
        "command": " ".join(["dev/bench/run", *map(shlex.quote, arguments)]),
        "workload": name,
        "options": {key: value for key, value in base.options.items() if value != its.options[key]},
        "variants": list(variants),
        "scratches": scratches,
        "sweep": axes,
        "nodes": session.nodes,
        "heap": options.heap,
        "cold": options.cold,
        "files_on_scratch": options.files_on_scratch,
        "warm_up": options.warm_up,
        "keep_first": options.keep_first,
        "kill_executor": options.kill_executor,
        "cpu": cgroups.how(),
        "environment": environment.describe(),
    }
    if options.more:
        earlier, runs = record.load(out)
        record.require_same(out, earlier, about)
        session.go_on(runs)
    else:
        out.mkdir(parents=True)
        (out / "about.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    try:
        runs = session.run()
    except Refusal:
        # Nothing was measured: the next attempt may use the same name.
        if not (out / "runs").exists():
            shutil.rmtree(out)
        raise
    write(out, *record.load(out))
    failed = sum(1 for each in runs if each["failure"])
    say(f"{len(runs)} runs, {failed} failed; report: {out / 'report.md'}")
    return 1 if failed else 0


def write(out, about, runs):
    (out / "plot.svg").write_text(plot.of(about, runs), encoding="utf-8")
    lines = summary.asked(about, runs)
    page = "\n".join([*report.page(about, runs, "plot.svg"), *memory.section(about, lines)])
    (out / "report.md").write_text(page.rstrip() + "\n", encoding="utf-8")
