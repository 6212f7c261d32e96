"""Loads the Python libraries that dev/test-packages installs."""

import importlib
import sys

from .refusal import Refusal


def load(module):
    """Returns the module, or refuses and names its package."""
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        name = module.partition(".")[0]
        raise Refusal(f"{sys.executable} has no {name} ({missing}): dev/test-packages install, as root, installs "
                      f"Debian's python3-{name} for /usr/bin/python3") from missing


def load_all():
    """Loads all libraries. A measurement does so first, since its page needs them hours later."""
    for module in ("scipy.stats", "matplotlib.figure"):
        load(module)
