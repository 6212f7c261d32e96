"""Variants, scratch kinds and workloads: one Python file each, in a folder named after the three."""

import importlib.util
import pathlib

from . import BENCH
from .refusal import Refusal


def names(folder):
    return sorted(file.stem for file in (BENCH / folder).glob("*.py"))


def load(folder, name):
    """The module of that name; a name with a slash is the path of a file anywhere."""
    file = pathlib.Path(name) if "/" in name else BENCH / folder / f"{name}.py"
    if not file.is_file():
        raise Refusal(f"no '{name}' in dev/bench/{folder}: there are {', '.join(names(folder))}")
    spec = importlib.util.spec_from_file_location(f"hpcbench_{folder}_{file.stem}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
