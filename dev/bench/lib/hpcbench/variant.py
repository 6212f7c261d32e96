"""A variant of Spark to compare: a distribution plus settings plus optional jars and servers."""

import dataclasses
import pathlib

from . import ROOT, plugins
from .refusal import Refusal


@dataclasses.dataclass(frozen=True)
class Trigger:
    """A command that runs once in each application, when a line of the driver's log matches."""

    pattern: str
    command: tuple


# With --kill-executor: one executor is lost, without notice, between the map and the reduce stage.
KILL = Trigger("ShuffleMapStage 0 .* finished", ("kill", "-KILL", "{executor}"))


@dataclasses.dataclass(frozen=True)
class Variant:
    """One file in dev/bench/variants sets VARIANT to one of these.

    In settings, jars and commands, {shared} stands for a directory on the scratch that all nodes
    see, and {run} for a directory of the cluster on the local disk. In a trigger's command,
    {executors} stands for the executors' process ids, and {executor} for one of them.
    """

    about: str
    # Where bin/spark-submit is: absolute, or below the repository.
    home: str
    settings: dict = dataclasses.field(default_factory=dict)
    # Options of the workload that this variant sets; they override the command line.
    options: dict = dataclasses.field(default_factory=dict)
    # Jars on the class path of driver and executors, where a shuffle manager must be.
    jars: tuple = ()
    # Runs before the cluster starts. Lines spark.key=value that it prints are settings, too. What it leaves
    # running in its session are servers: their CPU time and memory are measured.
    start: tuple = ()
    # Runs after the cluster's end, also if `start` failed.
    stop: tuple = ()
    trigger: Trigger = None
    # For --ablate: name -> (key, value that is off, value that is on).
    switches: dict = dataclasses.field(default_factory=dict)

    def directory(self):
        home = ROOT / self.home
        if not (home / "bin" / "spark-submit").is_file():
            stock = " --stock" if pathlib.Path(self.home).name == "dist-stock" else ""
            raise Refusal(f"no distribution in {home}: dev/make-distribution.sh{stock} makes ours")
        return home

    def is_possible(self, scratch):
        """Returns whether the scratch has all directories that the settings, jars and commands name."""
        texts = (*self.settings.values(), *self.jars, *self.start)
        return scratch.shared is not None or not any("{shared}" in text for text in texts)


def conditions(variant, label, its):
    """Returns `its`, the Conditions of a run, with the variant's own options."""
    for option in variant.options:
        if option not in its.options:
            raise Refusal(f"variant {label}: this workload has no option --{option}; "
                          f"it has {', '.join('--' + name for name in its.options)}")
    return dataclasses.replace(its, options={**its.options, **variant.options})


def load(name):
    return plugins.load("variants", name).VARIANT


def fill(text, places):
    """Replaces {shared} and the like in `text`. Refuses a directory that the scratch doesn't have."""
    for name, value in places.items():
        if "{" + name + "}" in text:
            if value is None:
                raise Refusal(f"{text}: this scratch has no {name} directory; take a shared one")
            text = text.replace("{" + name + "}", str(value))
    return text
