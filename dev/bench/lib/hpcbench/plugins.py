"""Loads variants, scratch kinds and workloads: one Python file each, in the folders of these names."""

import importlib.util
import pathlib

from . import BENCH
from .refusal import Refusal


def names(folder):
    return sorted(file.stem for file in (BENCH / folder).glob("*.py"))


def load(folder, name):
    """Returns the module of that name. A name with a slash is the path of any file."""
    file = pathlib.Path(name) if "/" in name else BENCH / folder / f"{name}.py"
    if not file.is_file():
        raise Refusal(f"no '{name}' in dev/bench/{folder}: there are {', '.join(names(folder))}")
    spec = importlib.util.spec_from_file_location(f"hpcbench_{folder}_{file.stem}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
