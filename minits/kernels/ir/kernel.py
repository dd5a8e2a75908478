"""`Kernel`: what one fused group computes at each index of its index space.

An index space (the domain) has dimensions of which the last `reduced` are reduced over. A kernel is
a straight line of scalar operations in SSA form, one value at each index:

    softmax(x / scale + mask, -1)              domain [rows..., columns], reduced = 1

    a = load 0                       FULL      x at the index
    s = parameter 0                  ROW       a number that the call gives
    b = div(a, s)                    FULL
    c = load 1                       FULL      mask, broadcast to the domain
    d = add(b, c)                    FULL
    m = max(d)                       ROW       reduced over the last dimension
    e = exp(sub(d, m))               FULL
    t = sum(e)                       ROW
    o = div(e, t)                    FULL      output 0

A value is FULL where it may differ at each index, ROW where it is the same for all indices of the
reduced dimensions: what a reduction gives, and what is made of such values alone. Where nothing is
reduced, all loads are FULL and the domain has no rows.

A *scan* gives at each index of a row what a reduction would give of the elements up to there:

    exp(x).cumsum(-1)    x = load 0      FULL
                         e = exp(x)      FULL
                         c = cumsum(e)   FULL      output 0

An input may be a *table*: elements of it are looked up, at indices that are computed. Its first
dimensions are no part of the domain, `look_up(i)` reads what is at index i of them:

    table[index]      i = load 0        FULL      index
                      t = look_up 1(i)  FULL      table: one dimension more, before the others

A value may be *checked*: `checked(v, c)` is v, and a launch in which c is false at any index fails
(on CUDA: the kernel asserts). What calls it then has the error raised that eager raises.

A kernel says nothing about memory. The strides with which inputs are read and outputs are written
are a `Layout` (`minits.kernels.ir.layout`); the printers take both.

A value of dtype float16 or bfloat16 is a number rounded to that type; the operations on it are
computed in float32 and rounded once, as in torch's own kernels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, IntEnum
from typing import Any

import torch

from minits.lazily import shown_as
from minits.records import dataclass, field
from minits.source import SourceRange


class Level(IntEnum):
    """The indices with which a value may differ: see the module's text."""

    ROW = 0
    FULL = 1


REDUCTIONS = ("sum", "prod", "max", "min", "any", "all", "argmax", "argmin")
"""Operations with one FULL operand and a ROW result. `max` and `min` pass NaN on. `argmax` and
`argmin` give the first index along the reduced dimensions, flattened, as int64."""


SCANS = ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp")
"""Operations with one operand, whose result is FULL and of its dtype, over one reduced dimension.
`cummax` and `cummin` pass NaN on. Sums, products and powers of floats are accumulated as doubles,
those of the two halves as floats."""


class Direction(IntEnum):
    """From where to where a scan goes along a row."""

    FORWARD = 1
    BACKWARD = -1


class Sharing(Enum):
    """The share of several equal greatest or least elements in the gradient."""

    ALL = "all"
    """All share it; where it is NaN, all elements have NaN: `amax`."""
    SAME = "same"
    """All share it; where it is NaN, those that are NaN: `max` over all dimensions."""
    FIRST = "first"
    """The first one has it: `max` over a dimension."""


@dataclass(eq=False, slots=True)
class Scalar:
    """One value of a kernel.

    `op` is `load` (`payload`: index of the kernel's input), `constant` (`payload`: a Python bool,
    int or float), `parameter` (`payload`: index of the kernel's parameter), `count` (the number of
    indices reduced over), `index` (which of them it is: an int64, as `argmax` gives), `position`
    (the index along a dimension of the domain, an int64; `payload`: which one, counted from the
    last, -1), `look_up` (`payload`: index of an input that is a table; operands: an int64 for each
    dimension that is looked up, which must be an index of it, then perhaps a bool: where that is
    false nothing is read, and the value is zero), `length` (the size of such a
    dimension, an int64; `payload`: the input and the dimension), `cast` (to `dtype`), one of
    `REDUCTIONS` (`payload` of `max` and `min`: which of equal elements have the gradient, see
    `Sharing`), one of `SCANS` (`payload`: its `Direction`), or a row of
    `minits.kernels.scalar_ops.SCALAR_OPS`.
    """

    op: str
    operands: tuple[Scalar, ...]
    dtype: torch.dtype
    level: Level
    payload: Any = None
    range: SourceRange | None = None

    @property
    def is_reduction(self) -> bool:
        return self.op in REDUCTIONS

    @property
    def is_scan(self) -> bool:
        return self.op in SCANS

    @property
    def ends_sweep(self) -> bool:
        """Return whether it is known only after a sweep over a whole row."""
        return self.is_reduction or self.is_scan

    @property
    def is_read(self) -> bool:
        """Return whether it is an element of an input."""
        return self.op in ("load", "look_up")

    @property
    def indices(self) -> tuple[tuple[Scalar, ...], Scalar | None]:
        """The indices that are looked up, and the bool that says where, if there is one."""
        if self.operands and self.operands[-1].dtype == torch.bool:
            return self.operands[:-1], self.operands[-1]
        return self.operands, None

    @property
    def input(self) -> int | None:
        """The kernel's input that a value is of, if it reads one or asks for its size."""
        if self.is_read:
            return int(self.payload)
        return int(self.payload[0]) if self.op == "length" else None

    def __repr__(self) -> str:
        payload = "" if self.payload is None else f" {self.payload!r}"
        return f"<{self.op}{payload} : {str(self.dtype).removeprefix('torch.')} {self.level.name}>"


@dataclass(frozen=True, slots=True)
class KernelInput:
    """A tensor that is read. A ROW input is read by its leading dimensions alone.

    The first `looked_up` dimensions of a table come before those that broadcast to the domain.
    """

    dtype: torch.dtype
    level: Level = Level.FULL
    looked_up: int = 0


@dataclass(frozen=True, slots=True)
class KernelOutput:
    """A tensor that is written, of the value's dtype.

    A FULL value gives a tensor of the domain's shape; a ROW value one without the reduced
    dimensions, or with ones for them if `keepdim`.
    """

    value: Scalar
    keepdim: bool = False


@dataclass(eq=False, slots=True)
class Kernel:
    """See the module's text.

    `values` lists every scalar, operands before users. `parameters` are the dtypes (`float64` or
    `int64`) in which the numbers of a call are handed over.
    """

    reduced: int
    inputs: list[KernelInput] = field(default_factory=list)
    parameters: list[torch.dtype] = field(default_factory=list)
    values: list[Scalar] = field(default_factory=list)
    outputs: list[KernelOutput] = field(default_factory=list)

    _repr_html_ = shown_as("kernel")

    @property
    def has_checks(self) -> bool:
        """Return whether a launch may fail: see `checked` in `minits.kernels.scalar_ops.logic`."""
        return any(value.op == "checked" for value in self.values)

    @property
    def has_sweeps(self) -> bool:
        """Return whether rows are swept over, to reduce them or to scan them."""
        return any(value.ends_sweep for value in self.values)

    @property
    def scans(self) -> list[Scalar]:
        return [value for value in self.values if value.is_scan]

    def __str__(self) -> str:
        """A text of the kernel: one line a value."""
        names = {value: f"v{number}" for number, value in enumerate(self.values)}
        lines = [f"kernel(reduced={self.reduced})"]
        for value in self.values:
            words = [names[operand] for operand in value.operands]
            if value.payload is not None:
                words.append(repr(value.payload))
            dtype = str(value.dtype).removeprefix("torch.")
            lines.append(
                f"  {names[value]} = {value.op}({', '.join(words)}) : {dtype} {value.level.name}"
            )
        for number, output in enumerate(self.outputs):
            keep = ", keepdim" if output.keepdim else ""
            lines.append(f"  output {number} = {names[output.value]}{keep}")
        return "\n".join(lines)


def stages(kernel: Kernel) -> dict[Scalar, int]:
    """Return in which sweep over a row each value is first known.

    Reductions and scans of stage `n` are made by sweep number `n`; what uses their results in FULL
    values is of a later stage. Values without any below them are of stage 0.
    """
    found: dict[Scalar, int] = {}
    for value in kernel.values:
        stage = 0
        for operand in value.operands:
            stage = max(stage, found[operand] + operand.ends_sweep)
        found[value] = stage
    return found


def users_of(kernel: Kernel) -> dict[Scalar, list[Scalar]]:
    """Return the users of each value."""
    found: dict[Scalar, list[Scalar]] = {value: [] for value in kernel.values}
    for value in kernel.values:
        for operand in value.operands:
            found[operand].append(value)
    return found


def live_values(outputs: Sequence[Scalar]) -> Iterator[Scalar]:
    """Yield the values that the outputs are made of, operands before users."""
    seen: set[Scalar] = set()
    stack: list[tuple[Scalar, bool]] = [(value, False) for value in reversed(outputs)]
    while stack:
        value, is_ready = stack.pop()
        if is_ready:
            yield value
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack += [(operand, False) for operand in reversed(value.operands)]
