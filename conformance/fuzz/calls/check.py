"""Compares a history's calls: with eager, and with a program that was compiled for one call."""

from __future__ import annotations

import contextlib
import operator
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from conformance.fuzz.calls.bounds import bounded
from conformance.fuzz.calls.history import Backward, Call, History, Step, Threads
from conformance.fuzz.calls.program import program_of
from conformance.fuzz.calls.seen import Seen, is_alike
from conformance.fuzz.calls.world import run_fresh, run_history

TOLERANCE = {
    torch.float64: 1e-9,
    torch.complex128: 1e-9,
    torch.float32: 2e-4,
    torch.complex64: 2e-4,
    torch.float16: 2e-2,
    torch.bfloat16: 1e-1,
}
"""Of a number and of one: what a dozen roundings amount to. The kernels' last digits are the
business of `fuzz --kernels`; a call that reads the wrong memory is off by more. A result of float64
may have come by way of any dtype that its history names."""


FAULTS = ("raises", "gradients raise")


@dataclass(frozen=True)
class Fault:
    """A wrong step of a history: the aspect of it, and the values expected and found."""

    kind: str
    """"history" where a program that was compiled for the call alone does something else, "call"
    where it does the same, and eager does not."""
    aspect: str
    step: int
    expected: Any
    found: Any

    @property
    def signature(self) -> str:
        """The text that the fault of a shorter history must have in common with this one."""
        parts = [self.kind, self.aspect]
        if self.aspect in FAULTS:
            parts += [re.sub(r"\W*\d+\W*", "#", str(x))[:60] for x in (self.expected, self.found)]
        return " ".join(parts)

    def __str__(self) -> str:
        return (
            f"{self.kind}: step {self.step}, {self.aspect}:\n"
            f"  expected {_text(self.expected)}\n  found    {_text(self.found)}"
        )


def check(history: History, compare_fresh: frozenset[int] = frozenset()) -> Fault | None:
    """Return the first thing that is wrong, or None.

    The steps of `compare_fresh` are compared with a fresh program even where they are eager's.
    Where two operators fail, either may raise first: small tensors run operator by operator at the
    first call of a shape, where the order is eager's, and in kernels at the second one.
    """
    program, coarse = program_of(history.program), coarsest(history)
    wanted = run_history(program, history, is_compiled=False)
    with bounded(history.bound), built(history.build):
        found = run_history(program, history, is_compiled=True)
    for number in range(len(history.steps)):
        difference = compare(wanted[number], found[number], coarse)
        if difference is None and number not in compare_fresh:
            continue
        if difference is not None and _is_unchecked(program, history, number, difference[0]):
            continue
        if difference is not None and _is_otherwise_written(history, number, found[number], coarse):
            continue
        fresh = run_fresh(program, history, number)
        against_fresh = compare(fresh, found[number], coarse)
        if difference is not None and against_fresh is None:
            return Fault("call", difference[0], number, *difference[1:])
        if against_fresh is not None and compare(wanted[number], fresh, coarse) is None:
            difference = difference or against_fresh
            return Fault("history", difference[0], number, *difference[1:])
        if against_fresh is not None:
            return Fault(
                "history (unlike eager, too)", against_fresh[0], number, *against_fresh[1:]
            )
    return None


def _is_unchecked(program: Any, history: History, number: int, aspect: str) -> bool:
    """Return whether what differs is left open by torch.

    So is what is written to elements that share their memory with others: `x.add_(1)` adds to these
    as often as they are elements, or once, by how it is computed.

    And so are gradients that a checkpoint hides to be of changed tensors: `v = b + 2; w =
    F.gelu(v); v.mul_(2)` has no gradients, since the operator has saved what is changed. In a
    checkpoint torch does not notice, and computes with the changed values.
    """
    if aspect in _OF_ELEMENTS and _writes_overlapping(history, number):
        return True
    if aspect != "gradient values" or "checkpoint" not in str(history.steps):
        return False
    steps = tuple(map(_without_checkpoint, history.steps))
    seen = run_history(program, replace(history, steps=steps), is_compiled=False)
    return any("gradients raise" in each.facts for each in seen[number])


_OF_ELEMENTS = ("values", "arguments", "numbers", "gradient values")
_WRITES = re.compile(r"\w_\(|\] (\*|\+|-)?= ")
_OVERLAPPING = re.compile(r"unfolded|as_strided")
_OF_EARLIER_STEPS = re.compile(r"Again|Result|Backward|Write")


def _writes_overlapping(history: History, number: int) -> bool:
    """Return whether a program writes, and a step has tensors whose elements share memory.

    They are its own, or those of a step before that it may go back to.
    """
    if not _WRITES.search(history.program):
        return False
    step = str(history.steps[number])
    if _OF_EARLIER_STEPS.search(step):
        step = str(history.steps[: number + 1])
    return _OVERLAPPING.search(step) is not None


_ASSIGNED = re.compile(r"^( *\w+\[.*\]) ([-+*]?)= (.+)$", re.MULTILINE)
_IN_PLACE = {"": "copy_", "+": "add_", "-": "sub_", "*": "mul_"}
_FORK = re.compile(r"torch\.jit\.fork\((\w+), ")


def _is_otherwise_written(history: History, number: int, found: list[Seen], coarse: float) -> bool:
    """Return whether a step is what eager does with the program written as TorchScript means it.

    Parts are views that are written to. Python's `x[..., :1] = 3` is no view where the slice is all
    of `x`; torch.jit's always is, and gradients flow through it, though all of them are zero.
    Python refuses `x[0] = y` of a sparse `x`; torch.jit writes to a copy, which counts as a change
    of `x`. Python's `x[0] += 1` counts as two changes, since it assigns to the part what it has
    added to; torch.jit's as one.

    Tasks are calls. `torch.jit.fork` looks for the type of what a task returns in eager, too, and
    fails at a nested tensor that `vmap` wraps, which tells no sizes; the call itself does not.
    """
    text = _ASSIGNED.sub(lambda m: f"{m[1]}.{_IN_PLACE[m[2]]}({m[3]})", history.program)
    text = _FORK.sub(r"\1(", text).replace("torch.jit.wait(", "(")
    if text == history.program:
        return False
    program = program_of(text)
    wanted = run_history(program, history, is_compiled=False)
    difference = compare(wanted[number], found, coarse)
    return difference is None or _is_unchecked(program, history, number, difference[0])


def _without_checkpoint(step: Step) -> Step:
    """The same step, asked for the gradients of all results."""
    if isinstance(step, Call):
        return replace(step, transform="", backward=step.backward and "ramp")
    return replace(step, how="ramp") if isinstance(step, Backward) else step


@contextlib.contextmanager
def built(mode: str) -> Iterator[None]:
    """Plan and build in a mode of MINITS_BUILD. A fresh program plans at once whatever it is."""
    before = os.environ.get("MINITS_BUILD")
    os.environ["MINITS_BUILD"] = mode
    try:
        yield
    finally:
        os.environ["MINITS_BUILD"] = before or "now"


def compare(wanted: list[Seen], found: list[Seen], coarse: float) -> tuple[str, Any, Any] | None:
    """Return the first aspect that differs, what was wanted and what was found."""
    for mine, theirs in zip(found, wanted, strict=True):
        if _is_torchs(mine) and "raises" in theirs.facts:
            continue
        if _needs_fewer(theirs, mine):
            mine, theirs = _without_zeros(mine), _without_zeros(theirs)
        for aspect in dict.fromkeys(("raises", *theirs.facts, *mine.facts)):
            pair = theirs.facts.get(aspect), mine.facts.get(aspect)
            is_same = is_alike if aspect in FAULTS else operator.eq
            if not is_same(*pair):
                return aspect, *pair
        for aspect, values in theirs.values.items():
            others = mine.values[aspect]
            for value, other in zip(values, others, strict=True):
                if not is_close(value, other, coarse):
                    return aspect, value, other
    return None


def _is_torchs(seen: Seen) -> bool:
    """Whether an operator of torch fell over, which Python's words for the same do not ask for.

    `x[:1] = 3` is `fill_` in Python and `copy_` in torch.jit, which meets a fault of torch's at
    conjugates with tangents. Then either raises something, but not at the same place.
    """
    return "INTERNAL ASSERT FAILED" in str(seen.facts.get("raises"))


def _needs_fewer(theirs: Seen, mine: Seen) -> bool:
    """Whether fewer of eager's gradients require gradients themselves; they are asked for theirs.

    Python's `x[..., :1] = 3` is no view where the slice is all of `x`: eager sees that nothing of
    it is left. torch.jit's is a view at all sizes, and gives gradients of gradients that are zero.
    """
    fewer, more = _needs(theirs), _needs(mine)
    are_both = len(fewer) == len(more) > 0
    return are_both and fewer != more and all(x <= y for x, y in zip(fewer, more, strict=True))


def _needs(seen: Seen) -> list[bool]:
    gradients = seen.facts.get("gradients", [])[: seen.leaves]
    return [gradient is not None and gradient[-1] for gradient in gradients]


def _without_zeros(seen: Seen) -> Seen:
    """The same effects with None for zero gradients of gradients, and without requires_grad."""
    count, values = seen.leaves, seen.values["gradient values"]
    again = [None if x is None or not x.any() else x for x in values[count:]] or [None] * count
    facts = [None if x is None else x[:-1] for x in seen.facts["gradients"][:count]]
    return replace(
        seen,
        facts=seen.facts | {"gradients": facts},
        values=seen.values | {"gradient values": [*values[:count], *again]},
    )


def coarsest(history: History) -> float:
    """Return the tolerance of the coarsest dtype that a history names."""
    text = f"{history.program} {history.steps}"
    named = [dtype for dtype in TOLERANCE if str(dtype).removeprefix("torch.") in text]
    return max(TOLERANCE[dtype] for dtype in (*named, torch.float32))


def is_close(value: Any, other: Any, coarse: float) -> bool:
    """Whether two tensors hold the same numbers, but for rounding; or lists of them."""
    if isinstance(value, list) and isinstance(other, list):
        pairs = zip(value, other, strict=False)
        return len(value) == len(other) and all(is_close(x, y, coarse) for x, y in pairs)
    if value is None or other is None:
        return value is other
    if value.shape != other.shape or value.dtype != other.dtype:
        return False
    if value.dtype == torch.complex32:  # torch compares none
        value, other = value.to(torch.complex64), other.to(torch.complex64)
        coarse = max(coarse, TOLERANCE[torch.float16])
    if value.dtype not in TOLERANCE:
        return bool(torch.equal(value, other))
    limit = max(coarse, TOLERANCE[value.dtype])
    if value.dtype.is_complex:
        value, other = torch.view_as_real(value), torch.view_as_real(other)
    mine, theirs = value.double(), other.double()
    scale = 1 + theirs.abs().nan_to_num(0, 0, 0)
    is_same = (mine == theirs) | (mine.isnan() & theirs.isnan())
    return bool((is_same | ((mine - theirs).abs() <= limit * scale)).all())


def _text(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"{str(value.tolist())[:300]} {value.dtype}"
    return str(value)[:300]


def run(history: History) -> None:
    """Check a history; print what is wrong, and exit with status 1 if anything is."""
    os.environ["MINITS_BUILD"] = os.environ["MINITS_NATIVE"] = "now"
    torch.set_num_threads(1)
    torch.set_warn_always(True)
    everything = frozenset(
        number for number, step in enumerate(history.steps) if isinstance(step, Call | Threads)
    )
    fault = check(history, everything)
    print(fault or "as it should be")
    sys.exit(1 if fault else 0)
