"""The body of a C function while it is written: its lines, and what all its statements share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from minits.kernels.cpu.arguments import Arguments
from minits.kernels.cpu.c_printer.expressions import Elements, literal
from minits.kernels.ir.kernel import Scalar
from minits.kernels.ir.printing import Lines, Names
from minits.kernels.scalar_ops.row import C_TYPES, SHORT_NAMES
from minits.kernels.schedule.loops import Over, Schedule

RARE_TYPES = {torch.float32: "int", torch.float64: "long long"}
"""The types in which it is noted that there were rare operands: as wide as these, so that vectors
of both are equally long."""


class FunctionBody(Lines):
    """The lines of the body of a function that does a range of tasks.

    What is computed is right for all operands if it `takes_all`, else for usual ones
    (`schedule.usual`). `columns` are the first index along the last dimension, and the end, of
    those that are next; `in_row` tells whether a row is at hand, `strips` how many loops were
    written in strips (`lanes`). Rows are `side_by_side` where the innermost loops are over rows.
    """

    def __init__(self, schedule: Schedule, takes_all: bool = False) -> None:
        super().__init__(depth=1)
        self.schedule = schedule
        self.kernel = schedule.kernel
        self.layout = schedule.layout
        self.arguments = Arguments(self.kernel, self.layout)
        self.takes_all = takes_all
        self.rare = () if takes_all else schedule.usual.rare
        self.names = Names(self.kernel.values, literal)
        self.elements = Elements(schedule, self.arguments, self.names)
        self.last = self.layout.rank - 1
        self.columns = ("0", f"n{self.last}")
        self.in_row = False
        self.strips = 0
        self.side_by_side = schedule.loop.over is Over.NEIGHBOURS

    def declare(self, value: Scalar, text: str, note: str = "") -> None:
        self.add(f"const {C_TYPES[value.dtype]} {self.names[value]} = {text};{note}")

    def next_index(self, dims: int) -> None:
        """Move `i0`, ... on to the next row: divisions cost as much as a short row."""
        if dims > 1:
            with self.block(f"if (++i{dims - 1} == n{dims - 1})"):
                self.add(f"i{dims - 1} = 0;")
                self.next_index(dims - 1)
        elif dims:
            self.add("++i0;")

    @contextmanager
    def rows(self) -> Iterator[None]:
        if self.side_by_side:
            self.pragma_simd()
        with self.block("for (int r = 0; r < rows; ++r)"):
            yield

    def pragma_simd(self, clauses: str = "") -> None:
        """Announce a loop whose iterations do not depend on each other, but for the checks."""
        noted = ["failed"] if self.kernel.has_checks else []
        noted += map(rare_flag, self.rare)
        reductions = "".join([f" reduction(|:{name})" for name in noted])
        self.add(f"#pragma omp simd{clauses}{reductions}")


def rare_flag(dtype: torch.dtype) -> str:
    """Return the variable in which it is noted that operands of a dtype were rare."""
    return f"rare_{SHORT_NAMES[dtype]}"
