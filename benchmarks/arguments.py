"""Time of calls by the kind of an argument, beside torch.jit: tuples, lists, texts, names.

    python -m benchmarks arguments [--rounds N]

Each program takes a tensor of four elements and one argument more, and does three small operators:
what counts is what lies between Python and them. A parameter's name after the kind says that the
argument is given by this name. No gradients are recorded. Target: at most 1.5 times torch.jit's
time for each, and 1.1 in the median.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

import minits
from benchmarks.argument_programs import PROGRAMS, A, with_optional_tensor
from benchmarks.beside_torch_jit import Call, begin, measured, report


def rows() -> list[tuple[str, Callable[..., Any], Call]]:
    """Return for each row its name, a program, and the arguments of the call."""
    by_name = {"mask": torch.ones(4)}
    return [
        *[
            (given.program.__name__.removeprefix("with_"), given.program, ((A, given.good[0]), {}))
            for given in PROGRAMS
        ],
        ("optional_tensor, mask=", with_optional_tensor, ((A,), by_name)),
        ("tensor, twice the same", PROGRAMS[0].program, ((A, A), {})),
    ]


def run(rounds: int, file: str | None) -> int:
    """Print the table. Return 0 if the targets are met."""
    begin()
    found = [
        {"argument": name, **measured(program, minits.script(program), [call], rounds)}
        for name, program, call in rows()
    ]
    return report(found, "argument", file)
