"""The launcher of a group, in a form that another process can read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minits.kernels.launch.launch import Launch, Parts, launch_of, parts_of
from minits.records import dataclass

Run = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class StoredLaunch:
    """A launch of a group.

    If it `is_checked`, operators run where a check of the kernel fails. If it `is_unrecorded`, it
    is for calls that record no gradients, though an input requires one.
    """

    parts: Parts
    is_checked: bool = False
    is_unrecorded: bool = False


def stored_launch(run: Run) -> StoredLaunch | None:
    """Return the stored form of a launcher; None if `run` does more than launch a kernel."""
    checked = getattr(run, "checked", None)
    inner = checked or run
    unrecorded = getattr(inner, "unrecorded", None)
    parts = parts_of(unrecorded or inner)
    if parts is None:
        return None
    return StoredLaunch(parts, checked is not None, unrecorded is not None)


def load(stored: StoredLaunch) -> Launch | None:
    """Return the launcher; None where its shared library no longer exists."""
    from minits.kernels.cpu.c_build import NoCompiler, entry_of, open_built

    try:
        library = open_built(stored.parts.library)
        if library is None:
            return None
        return launch_of(stored.parts, entry_of(library, stored.parts.entry))
    except NoCompiler:
        return None
