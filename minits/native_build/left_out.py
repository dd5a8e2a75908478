"""Methods that cannot be C beside others that can: a library is made without them, and says so.

`forward`, if it is there, has to be C: what nobody asked for is left out, such as the helpers that
torch's own modules have as methods.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from minits.native.c_types import NotNative
from minits.native_build.model_text import model_text
from minits.native_build.programs import Exported
from minits.native_build.state import state_of

Made = TypeVar("Made")


def made_of_native(
    programs: Sequence[Exported],
    make: Callable[[Sequence[Exported]], Made],
    tell: Callable[[str], None],
) -> Made:
    """Return the result of `make` for programs, or else for those methods that can be C.

    `tell` is told which are left out. Raises `NotNative` for a function, for `forward`, and if no
    method can be C.
    """
    try:
        return make(programs)
    except NotNative:
        faults = {program: fault for program in programs if (fault := _fault_of(program))}
    kept = [program for program in programs if program not in faults]
    names = {program.name for program in kept}
    for program, fault in faults.items():
        is_missed = program.name == "forward" and "forward" not in names
        if program.owner is None or is_missed or not kept:
            raise fault
    made = make(kept)
    for program, fault in faults.items():
        tell(f"{program.declaration} is left out: {fault}")
    return made


def _fault_of(program: Exported) -> NotNative | None:
    """Return why a program cannot be C by itself; None if it can."""
    try:
        model_text(state_of([program]), "model")
    except NotNative as fault:
        return fault
    return None
