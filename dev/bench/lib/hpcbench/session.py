"""Runs a whole measurement: starts file systems and clusters, does all runs in the plan's order, and ends all."""

import concurrent.futures
import contextlib
import os
import pathlib
import subprocess
import tempfile
import time

from . import (application, cgroups, cluster as clusters, plan, prepared, processes, record, scratch,
               sweep, variant as of_variant)
from .refusal import Refusal


# What is added to the name of an input for its copy.
WARM_UP = "-warm-up"


class Session:
    """`variants` are {label: Variant}, `scratches` texts such as pfs:edison, `points` of a sweep."""

    def __init__(self, workload, variants, scratches, points, base, reps, out, *,
                 cold=False, files_on_scratch=False, warm_up=0, first=plan.WARM_UP, patience=600,
                 side_by_side=False, say=print):
        self.workload, self.variants, self.scratches = workload, variants, scratches
        self.base, self.reps, self.out = base, reps, pathlib.Path(out)
        self.cold, self.first, self.patience, self.say = cold, first, patience, say
        self.files_on_scratch, self.warm_up = files_on_scratch, warm_up
        self.conditions = {point: sweep.conditions(base, point, workload) for point in points}
        self.nodes = max(each.executors for each in self.conditions.values())
        self.cores_per_node = max(each.executors_per_node * each.executor_cores
                                  for each in self.conditions.values())
        self.side_by_side = side_by_side
        pairs = (plan.side_by_side(list(variants), scratches) if side_by_side else
                 [(variant, kind) for kind in scratches for variant in variants])
        self.series = [plan.Series(*pair, point) for point in points for pair in pairs]
        self.cpus = sorted(os.sched_getaffinity(0))
        if side_by_side:
            plan.cores(self.cpus, len(pairs), 0)  # refuses too few cores before any work
        self.fingerprints = {}
        self.after = 0

    def go_on(self, earlier):
        """Continues an earlier measurement: rounds are numbered after its own, and answers must equal its answers."""
        self.after = max((each["round"] for each in earlier), default=0)
        for each in earlier:
            asked = self.conditions[tuple(each["point"].items())]
            record.check_fingerprint(self.fingerprints, _question(asked), each)

    def run(self):
        """Returns all runs as records. Each is saved as soon as it is over."""
        for label, variant in self.variants.items():
            variant.directory()
            for each in self.conditions.values():
                of_variant.conditions(variant, label, each)
        first_home = next(iter(self.variants.values())).directory()
        with processes.handlers_kept(), contextlib.ExitStack() as stack:
            try:
                # Node-local files must not lie below the scratch that is measured.
                folder = stack.enter_context(tempfile.TemporaryDirectory(
                    prefix=f"hpcbench-{os.getpid()}-", dir="/var/tmp", ignore_cleanup_errors=True))
                data = {point: self._prepare(each, first_home)
                        for point, each in self.conditions.items()}
                places = self._start_scratches(stack)
                self._try_settings(places)
                self._leave_out_impossible(places)
                data = self._copied(places, data)
                running = self._start_clusters(stack, places, folder)
                return list(self._runs(places, running, data, folder))
            finally:
                processes.end_undisturbed(self.say)

    def _prepare(self, conditions, home):
        step = self.workload.step(conditions.options)
        return step and prepared.make(step, home, self.say)

    def _start_scratches(self, stack):
        """Returns {(variant, scratch): what was started}. Variants share a scratch unless they run side by side."""
        started, places = {}, {}
        for pair in self._pairs():
            key = pair if self.side_by_side else pair[1]
            if key not in started:
                started[key] = self._start_scratch(stack, pair[1], len(started))
            places[pair] = started[key]
        return places

    def _start_scratch(self, stack, text, number):
        base = f"/dev/shm/hpcbench-{os.getpid()}-{number}"
        made = scratch.load(text, self.nodes, base)
        group = cgroups.make(f"scratch-{number}")
        stack.callback(group.remove)
        stack.callback(made.stop)
        self.say(f"starting {text} for {self.nodes} nodes")
        made.start(group)
        return made, group

    def _try_settings(self, places):
        """Refuses settings that a file system doesn't have, or values that it doesn't take."""
        for its, _ in places.values():
            for conditions in self.conditions.values():
                its.set(conditions.file_system)
            its.set({})

    def _copied(self, places, data):
        """Returns {(variant, scratch, point): input}. With --files-on-scratch, each scratch gets copies of all inputs."""
        copies = {}
        for series in self.series:
            its, _ = places[series.variant, series.scratch]
            made = data[series.point]
            copied = os.path.join(its.common(), made.name) if made and self.files_on_scratch else made
            if copied != made and copied not in copies.values():
                self.say(f"copying {made.name} to {series.scratch}")
                for copy in (copied, copied + WARM_UP) if self.warm_up else (copied,):
                    subprocess.run(its.on_node(0, ["cp", "-r", str(made), copy]), check=True)
            copies[series.variant, series.scratch, series.point] = copied
        return copies

    def _pairs(self):
        return dict.fromkeys((series.variant, series.scratch) for series in self.series)

    def _leave_out_impossible(self, places):
        """Drops series whose variant needs a directory that all nodes share, if the scratch has none."""
        impossible = [(label, text) for label, text in self._pairs()
                      if not self.variants[label].is_possible(places[label, text][0])]
        for label, text in impossible:
            self.say(f"{label} on {text} is left out: it needs a directory that all nodes share")
        self.series = [series for series in self.series
                       if (series.variant, series.scratch) not in impossible]
        if not self.series:
            raise Refusal("no variant is left: take a scratch that all nodes share, such as pfs")

    def _start_clusters(self, stack, places, folder):
        running = {}
        for label, text in self._pairs():
            name = f"cluster-{len(running)}"
            self.say(f"starting a cluster of {label} on {text}")
            made = clusters.Cluster(name, self.variants[label], places[label, text][0],
                                    os.path.join(folder, name), self.cores_per_node,
                                    cgroups.make(name))
            stack.callback(made.stop)
            made.start()
            running[label, text] = made
        return running

    def _runs(self, places, running, data, folder):
        todo = plan.runs(self.series, self.reps, self.first, self.after)
        started = time.monotonic()
        done = 0
        for batch in self._batches(todo):
            for number, series, run in self._at_a_time(batch, places, running, data, folder):
                done += 1
                left = (time.monotonic() - started) / done * (len(todo) - done)
                self.say(f"{done}/{len(todo)} round {number} {series.label()}: {_summary(run)}"
                         f"; {left / 60:.0f} min left")
                yield run

    def _batches(self, todo):
        """Returns lists of (round, series) that run at the same time."""
        if not self.side_by_side:
            return [[each] for each in todo]
        found = {}
        for number, series in todo:
            found.setdefault((number, series.point), []).append((number, series))
        return list(found.values())

    def _at_a_time(self, batch, places, running, data, folder):
        """Yields (round, series, run) of the batch. Runs at the same time have a share of the cores each."""
        folders = [os.path.join(folder, f"run-{place}") for place in range(len(batch))]
        if len(batch) == 1:
            yield *batch[0], self._one(*batch[0], places, running, data, folders[0])
            return
        batch = sorted(batch, key=lambda each: self.series.index(each[1]))
        parts = plan.cores(self.cpus, len(batch), batch[0][0])
        for (_, series), cores in zip(batch, parts):
            running[series.variant, series.scratch].keep_on(cores)
        with concurrent.futures.ThreadPoolExecutor(len(batch)) as threads:
            runs = [threads.submit(self._one, *each, places, running, data, its)
                    for each, its in zip(batch, folders)]
            for each, run in zip(batch, runs):
                yield *each, run.result()

    def _one(self, number, series, places, running, data, folder):
        its, servers = places[series.variant, series.scratch]
        asked = self.conditions[series.point]
        conditions = of_variant.conditions(self.variants[series.variant], series.variant, asked)
        its.set(conditions.file_system)
        if self.cold:
            its.drop_caches()
        its.reset()
        daemons = servers.seconds([])
        cluster = running[series.variant, series.scratch]
        moved = cluster.moved_bytes()
        results = (os.path.join(its.common(), f"output-{os.path.basename(folder)}") if self.files_on_scratch
                   else os.path.join(folder, "output"))
        tables = data[series.variant, series.scratch, series.point]
        app = application.Application(cluster, self.workload, conditions, tables,
                                      self.warm_up * [f"{tables}{WARM_UP}"], folder, results)
        outcome = app.run(self.patience)
        its.settle()
        outcome.moved_bytes = {way: count - moved[way]
                               for way, count in cluster.moved_bytes().items()}
        used = servers.seconds([]) - daemons if servers.how == cgroups.Group.how else None
        run = record.of(number, series, conditions, outcome, its.counts(), used)
        # A variant's own options may change how the work is done, but not its answer.
        record.check_fingerprint(self.fingerprints, _question(asked), run)
        if run["failure"]:
            self._keep(app, number, series)
        app.remove()
        record.save(self.out, run)
        return run

    def _keep(self, app, number, series):
        """Keeps the output of a failed run for diagnosis."""
        place = self.out / "failed" / f"{number}-{series.label().replace('/', '_').replace(' ', '-')}"
        place.mkdir(parents=True, exist_ok=True)
        for file in (app.out, app.log):
            pathlib.Path(file).rename(place / pathlib.Path(file).name)


def _question(conditions):
    return tuple(sorted(conditions.options.items()))


def _summary(run):
    if run["failure"]:
        return f"FAILED, {run['failure']}"
    cpu = run["cpu_seconds"]
    text = f"{run['wall_seconds']:.1f} s, {cpu['executors'] + cpu['driver']:.1f} s of CPU"
    counts = run["counts"] or {}
    if "metadata_requests" in counts:
        text += f", {counts['metadata_requests']:,} metadata operations"
    return text
