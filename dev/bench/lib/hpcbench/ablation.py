"""Turns on each feature switch of a variant alone, and all together, to show the effect of each feature."""

import dataclasses

from .refusal import Refusal


def variants(name, variant):
    """Returns {label: variant}: all switches off, each one alone on, all on."""
    if not variant.switches:
        raise Refusal(f"--ablate: variant {name} has no switches; --variant names one that has")

    def with_on(names):
        chosen = {key: (on if switch in names else off)
                  for switch, (key, off, on) in variant.switches.items()}
        return dataclasses.replace(variant, settings={**variant.settings, **chosen})

    made = {f"{name}-off": with_on(())}
    made.update({f"{name}+{switch}": with_on((switch,)) for switch in variant.switches})
    if len(variant.switches) > 1:
        made[f"{name}-on"] = with_on(tuple(variant.switches))
    return made
