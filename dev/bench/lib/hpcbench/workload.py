"""A workload: a program, its options, the input that it needs, and how its answer is read."""

import dataclasses
import typing

from . import answer, plugins


@dataclasses.dataclass(frozen=True)
class Step:
    """A program that runs once beforehand; its output directory is kept for all later runs."""

    main: str
    arguments: tuple
    # Option of the program that names its new output directory.
    output: str = "--output"


@dataclasses.dataclass(frozen=True)
class Workload:
    """One file in dev/bench/workloads sets WORKLOAD to one of these.

    Each of `options` is an option of dev/bench/run and can be swept. It is also an option of the program,
    unless it is in `only_prepare` or `settings_from`.
    """

    about: str
    # A class of the examples, or the file of a Python program.
    main: str
    options: dict
    only_prepare: tuple = ()
    # Option -> the Spark setting that it sets.
    settings_from: dict = dataclasses.field(default_factory=dict)
    # Options that --sweep partitions-per-core multiplies by the cores.
    partitions: tuple = ()
    # options -> Step, or None
    prepare: typing.Callable = None
    # The program's option that takes what `prepare` made.
    input: str = "--input"
    # The program's option for a copy of it, on which the program does its work first, untimed. May be repeated.
    warm_up: str = None
    # The program's option for a directory of results, made for each run and removed after it.
    output: str = None
    # Lines of standard output -> Answer.
    answer: typing.Callable = answer.checked

    def settings(self, options):
        return {key: options[name] for name, key in self.settings_from.items()}

    def step(self, options):
        return self.prepare(options) if self.prepare else None

    def arguments(self, options, data, copies, output):
        others = {*self.only_prepare, *self.settings_from}
        words = [word for name, value in options.items() if name not in others
                 for word in (f"--{name}", str(value))]
        if data:
            words += [self.input, str(data)]
        for copy in copies:
            words += [self.warm_up, str(copy)]
        if self.output:
            words += [self.output, str(output)]
        return words


def load(name):
    return plugins.load("workloads", name).WORKLOAD
