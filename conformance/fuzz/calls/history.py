"""Histories of a program: calls, changes of its module and of tensors, threads, gradients.

A history is data; its `repr` is Python that makes it again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from conformance.fuzz.calls.written import Written


@dataclass(frozen=True, repr=False)
class Again(Written):
    """The very tensor that was argument `name` of the call that is step `step`, or `view` of it."""

    step: int
    name: str
    view: str = ""


@dataclass(frozen=True, repr=False)
class Result(Written):
    """The first tensor that a call returned, or `view` of it."""

    step: int
    view: str = ""


@dataclass(frozen=True, repr=False)
class Same(Written):
    """The same tensor as an argument before it in this call, or `view` of it: `[1:]`, `.t()`."""

    name: str
    view: str = ""


@dataclass(frozen=True, repr=False)
class Call(Written):
    """A call: arguments by position, then by keyword."""

    args: tuple[tuple[str, Any], ...] = ()
    """Names and values; the first `positional` of them are given by position."""
    positional: int = 0
    states: tuple[str, ...] = ()
    """What is on during the call: keys of `states.STATES`."""
    transform: str = ""
    """What the call goes through: a key of `transforms.TRANSFORMS`."""
    backward: str = ""
    """How gradients are asked for at once, if any: "sum", "ramp", or a key of PARTS or TWICE."""


@dataclass(frozen=True, repr=False)
class Backward(Written):
    """Gradients of what a call before returned."""

    step: int
    how: str = "ramp"


@dataclass(frozen=True, repr=False)
class Change(Written):
    """A statement about `m`, the module or function: `m.eval()`, `m = copy.deepcopy(m)`."""

    text: str


@dataclass(frozen=True, repr=False)
class Write(Written):
    """A statement about `x`, a tensor of an earlier call: `x.mul_(2)`, `x.t_()`."""

    step: int
    text: str
    name: str = ""
    """Of which argument; the first result if there is no name."""


@dataclass(frozen=True, repr=False)
class Threads(Written):
    """Calls of several threads, which take turns at bytecodes that `seed` chooses."""

    threads: tuple[tuple[Call, ...], ...]
    seed: int = 0


Step = Call | Backward | Change | Write | Threads


@dataclass(frozen=True, repr=False)
class History(Written):
    """A program's text and its steps.

    `bound` is what every bounded cache holds, 0 for as it is; `build` is MINITS_BUILD.
    """

    program: str
    steps: tuple[Step, ...] = field(default=())
    bound: int = 0
    build: str = "now"

    def script(self) -> str:
        """Return a script that runs the history and prints what is wrong."""
        lines = [
            "from conformance.fuzz.calls.check import run",
            "from conformance.fuzz.calls.history import *",
            "from conformance.fuzz.calls.tensors import T",
            "",
            f'PROGRAM = """\\\n{self.program}"""',
            "run(History(PROGRAM, (",
            *[f"    {step!r}," for step in self.steps],
            f"), bound={self.bound}, build={self.build!r}))",
        ]
        return "\n".join(lines) + "\n"
