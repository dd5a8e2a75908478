"""Common parts of the C and CUDA printers: types of memory, names of values, lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from minits.kernels.ir.kernel import Scalar
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.kernels.scalar_ops.row import C_TYPES

HALVES = (torch.float16, torch.bfloat16)
STORED = {
    **C_TYPES,
    torch.float16: "unsigned short",
    torch.bfloat16: "unsigned short",
    torch.bool: "unsigned char",
}
"""The types of elements in memory."""
PARAMETERS = {torch.float64: "double", torch.int64: "long long", torch.bool: "long long"}
"""The types in which the numbers of a call are handed over."""


def is_rounded(value: Scalar) -> bool:
    """Return whether there is nothing to round: a half is made of halves, exactly."""
    return SCALAR_OPS[value.op].is_exact and all(
        operand.dtype in (value.dtype, torch.bool) for operand in value.operands
    )


class Names:
    """The names of values in a kernel's text: `v0`, `v1`, ...; constants stand for themselves.

    `literal` gives the text of a constant of a dtype.
    """

    def __init__(
        self, values: Sequence[Scalar], literal: Callable[[Any, torch.dtype], str]
    ) -> None:
        self._numbers = {value: number for number, value in enumerate(values)}
        self._literal = literal

    def __getitem__(self, value: Scalar) -> str:
        if value.op == "constant":
            return self._literal(value.payload, value.dtype)
        return f"v{self._numbers[value]}"

    def number(self, value: Scalar) -> int:
        return self._numbers[value]


class Lines:
    """Lines of text, indented by four spaces a level."""

    def __init__(self, depth: int = 0) -> None:
        self.lines: list[str] = []
        self._depth = depth

    def add(self, line: str) -> None:
        self.lines.append(f"{'    ' * self._depth}{line}" if line else "")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Put lines between braces."""
        self.add(f"{head} {{")
        self._depth += 1
        yield
        self._depth -= 1
        self.add("}")

    @contextmanager
    def aside(self) -> Iterator[list[str]]:
        """Collect the lines of a `with` statement in the list that it is given, unindented."""
        lines, depth = self.lines, self._depth
        self.lines, self._depth = [], 0
        yield self.lines
        self.lines, self._depth = lines, depth

    def __str__(self) -> str:
        return "\n".join(self.lines) + "\n"


def source_line(value: Scalar) -> str | None:
    """Return the source line of a value: `model.py:12`.

    A name may have any character; newlines would end the comment that this is for.
    """
    if value.range is None:
        return None
    name = ascii(Path(value.range.source.filename).name)[1:-1]
    return f"{name}:{value.range.begin.line}"
