"""A program around a sample of the database: the operator between two that are computed, too.

    sample: input [3, 5], dim=-1                def program(a):
                                                    r0, r1 = torch.max(a.clone(), dim=-1)
                                                    return (r0.clone(), r1.clone())

Copies compute nothing, so that the operator alone is compared with eager's. Complex tensors, which
kernels read but do not write, are not copied, nor are those that elements are looked up in. Tensors
are arguments of the program; numbers and lists stand in its text, as they mostly do in models.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterator
from random import Random
from typing import Any

import torch
from torch import Tensor

from conformance.fusion.database import Operator
from conformance.fuzz.programs import Program

MOST_ELEMENTS = 20_000
_DEEPEST = 100
"""Samples that are looked at, of which some are chosen."""


def programs(operator: Operator, dtype: torch.dtype, most: int) -> list[Program]:
    """Return up to `most` programs, of samples that are drawn, the same ones each time."""
    found: dict[str, Program] = {}
    for sample in itertools.islice(_samples(operator, dtype), _DEEPEST):
        program = _program(operator, sample)
        if program is not None:
            found.setdefault(str(program), program)
    each = [program for program in found.values() if not _is_small(program)]
    each = each or list(found.values())
    return Random(operator.name).sample(each, min(most, len(each)))


def _is_small(program: Program) -> bool:
    """Whether all tensors are single elements or empty: there is little to see."""
    return all(tensor.numel() < 2 for tensor in program.arguments)


def _samples(operator: Operator, dtype: torch.dtype) -> Iterator[Any]:
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from operator.info.sample_inputs("cpu", dtype, requires_grad=False)


def _program(operator: Operator, sample: Any) -> Program | None:
    """None for a sample that no program can be written for, or that eager refuses."""
    writer = _Writer()
    try:
        call = _call(operator.name, operator.called, writer, sample)
    except _NoText:
        return None
    count = _count_of_results(call, writer)
    if count is None or any(each.numel() > MOST_ELEMENTS for each in writer.tensors):
        return None
    made = [f"r{number}" for number in range(count)]
    parameters = ", ".join([f"{name}: Tensor" for name in writer.names])
    returned = "".join([f"{name}.clone(), " for name in made]).rstrip()
    text = f"def program({parameters}):\n    {', '.join(made)} = {call}\n    return ({returned})\n"
    return Program(text, writer.tensors)


_LOOKING_UP = frozenset(
    """gather index_select take take_along_dim flip fliplr flipud roll rot90 repeat tile
    nn.functional.embedding nn.functional.pad.constant constant_pad_nd""".split()
)
"""Operators that read their first argument where it lies."""


def _call(name: str, called: str, writer: _Writer, sample: Any) -> str:
    first, rest = sample.input, list(sample.args)
    if name in _LOOKING_UP and isinstance(first, Tensor):
        writer.uncopied.append(first)
    if called[0] not in "t.":
        return f"{writer.text(rest[0])} {called} {writer.text(first)}"
    if "{" in called:
        return called.format(*[writer.text(each) for each in [first, *rest]])
    arguments = [writer.text(each) for each in [first, *rest]]
    arguments += [f"{name}={writer.text(each)}" for name, each in sample.kwargs.items()]
    if called.startswith("."):
        return f"{arguments[0]}{called}({', '.join(arguments[1:])})"
    return f"{called}({', '.join(arguments)})"


class _NoText(Exception):
    """A sample has an argument that cannot be written in a program."""


class _Writer:
    """Writes arguments; collects the tensors among them."""

    def __init__(self) -> None:
        self.tensors: list[Tensor] = []
        self.uncopied: list[Tensor] = []

    @property
    def names(self) -> list[str]:
        return [chr(ord("a") + number) for number in range(len(self.tensors))]

    def text(self, value: Any) -> str:
        if isinstance(value, Tensor):
            if value.layout != torch.strided or len(self.tensors) > 20:
                raise _NoText
            self.tensors.append(value.detach())
            is_read = value.is_complex() or any(value is each for each in self.uncopied)
            return self.names[-1] + ("" if is_read else ".clone()")
        if isinstance(value, (list, tuple, torch.Size)):
            return f"[{', '.join([self.text(each) for each in value])}]"
        if value is None or isinstance(value, (bool, str, torch.dtype)):
            return str(value) if not isinstance(value, str) else repr(value)
        if isinstance(value, int):
            return repr(int(value))
        if isinstance(value, float):
            return repr(float(value)) if math.isfinite(value) else f"float('{value}')"
        raise _NoText


def _count_of_results(call: str, writer: _Writer) -> int | None:
    """The number of tensors that eager gives; None if it gives another type, raises, or draws."""
    seed = torch.get_rng_state()
    scope = {"torch": torch, **dict(zip(writer.names, writer.tensors, strict=True))}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = eval(call, scope)
    except Exception:
        return None
    if not torch.equal(seed, torch.get_rng_state()):
        return None
    results = [made] if isinstance(made, Tensor) else made
    if not isinstance(results, (list, tuple)) or not results:
        return None
    return len(results) if all(isinstance(each, Tensor) for each in results) else None
