"""The loops of kernels with reductions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch

from minits.kernels.c_printer.loops import Loops
from minits.kernels.c_printer.places import with_extremes
from minits.kernels.c_printer.texts import comment, literal, rounded
from minits.kernels.c_printer.walks import Walk, walks_of
from minits.kernels.kernel import Kernel, Level, Scalar
from minits.kernels.layout import Layout, Stride
from minits.kernels.scalar_ops.row import C_TYPES, kind_of

LONGEST_ON_STACK = 1024
"""Rows up to this length keep their values on the stack, others on the heap."""
BLOCK = 1024
"""Elements that are summed in float before the sum is added to one in double."""

_START = {"sum": "0", "prod": "1", "any": "0", "all": "1", "argmax": "0", "argmin": "0"}
COMBINE = {"sum": "+", "prod": "*", "any": "|", "all": "&"}


class Rows(Loops):
    """Kernels with reductions: a task is a row; `walks_of` tells how it is walked over."""

    def __init__(self, kernel: Kernel, layout: Layout) -> None:
        super().__init__(self.prepared(kernel), layout)
        self.walks = walks_of(self.kernel)
        self.kept = [value for walk in self.walks for value in walk.kept]

    def prepared(self, kernel: Kernel) -> Kernel:
        return with_extremes(kernel)

    def tasks(self) -> str:
        return " * ".join([self.size(dim) for dim in range(self.layout.outer)]) or "1"

    def text(self) -> str:
        outer = self.layout.outer
        self.declare_sizes()
        self.declare_count()
        self.declare_uniform()
        self.add("if (begin >= end) return;")
        self._declare_buffers()
        self.first_index(outer, "begin")
        self.open("for (long long task = begin; task < end; ++task)")
        self.declare_rows(outer)
        declared: set[Scalar] = {v for v in self.kernel.values if self.is_uniform(v)}
        self._row_values(declared)
        for number, walk in enumerate(self.walks):
            self.add("")
            self.add(f"// Walk {number} over the row.")
            self._walk(walk)
            declared.update(walk.reductions)
            self._row_values(declared)
        for number, output in enumerate(self.kernel.outputs):
            if output.value.level is Level.ROW:
                self.store(number, None, self.names[output.value])
        self.next_index(outer)
        self.close()
        for value in self.kept:
            name = f"kept_{self.names[value]}"
            self.add(f"if ({name} != near_{self.names[value]}) free({name});")
        return "\n".join(self.lines) + "\n"

    def declare_count(self) -> None:
        """How many elements a row has."""
        inner = range(self.layout.outer, self.layout.rank)
        self.add(f"const long long count = {' * '.join(f'n{dim}' for dim in inner)};")

    def _declare_buffers(self) -> None:
        for value in self.kept:
            name, type = self.names[value], C_TYPES[value.dtype]
            self.add(f"{type} near_{name}[{LONGEST_ON_STACK}] __attribute__((aligned(64)));")
            self.add(
                f"{type} *restrict kept_{name} = count <= {LONGEST_ON_STACK} ? near_{name} : "
                f"malloc(count * sizeof({type}));"
            )

    def _row_values(self, declared: set[Scalar]) -> None:
        """Declare the ROW values that are known by now."""
        for value in self.kernel.values:
            if value in declared or value.level is Level.FULL or value.is_reduction:
                continue
            if all(operand in declared for operand in value.operands):
                self.value(value)
                declared.add(value)

    # ---- Walks ---------------------------------------------------------------------------------

    def _walk(self, walk: Walk) -> None:
        last = self.layout.rank - 1
        for value in walk.reductions:
            self._start(value)
        for dim in range(self.layout.outer, last):
            self.open(f"for (long long i{dim} = 0; i{dim} < n{dim}; ++i{dim})")
        self._inner_pointers(walk)
        blocked = [v for v in walk.reductions if is_float_sum(v)]
        if blocked:
            self.open(f"for (long long block = 0; block < n{last}; block += {BLOCK})")
            self.add(
                f"const long long stop = block + {BLOCK} < n{last} ? block + {BLOCK} : n{last};"
            )
            for value in blocked:
                self.add(f"float part_{self.names[value]} = {start_of(value)};")
        self.pragma("omp simd" + "".join(self._clause(value) for value in walk.reductions))
        begin, end = ("block", "stop") if blocked else ("0", f"n{last}")
        self.open(f"for (long long i = {begin}; i < {end}; ++i)")
        self._body(walk)
        self.close()
        if blocked:
            for value in blocked:
                name = self.names[value]
                self.add(f"sum_{name} {COMBINE[value.op]}= part_{name};")
            self.close()
        for _ in range(self.layout.outer, last):
            self.close()
        for value in walk.reductions:
            self._finish(value)

    def _inner_pointers(self, walk: Walk) -> None:
        """With several inner dimensions: where the tensors and buffers are along the last one."""
        outer, last = self.layout.outer, self.layout.rank - 1
        if outer == last:
            return
        for number, (name, strides, type) in enumerate(self.tensors):
            if not self._is_read(name):
                continue
            terms = [
                f"i{dim} * {self.stride(number, dim)}"
                for dim in range(outer, last)
                if strides[dim] is not Stride.ZERO
            ]
            self.add(f"{type} *restrict at_{name} = {' + '.join([f'row_{name}', *terms])};")
        flat = "0"
        for dim in range(outer, last):
            flat = f"({flat} + i{dim}) * n{dim + 1}" if flat != "0" else f"i{dim} * n{dim + 1}"
        self.add(f"const long long base = {flat};")

    def _place(self) -> str:
        """The index in a row, and in its buffer."""
        return "i" if self.layout.inner == 1 else "base + i"

    def _kept_place(self) -> str:
        """The index in a buffer."""
        return self._place()

    def value(self, value: Scalar, place: str | None = None) -> None:
        if value.op != "index":
            super().value(value, place)
            return
        text = f"const long long {self.names[value]} = {self._place()};"
        self.add(f"{text}{comment(value)}")

    def loaded(self, value: Scalar, place: str | None) -> str:
        text = super().loaded(value, place)
        return text.replace("row_in", "at_in") if self._is_inside(place) else text

    def store(self, output: int, place: str | None, text: str) -> None:
        super().store(output, place, text)
        if self._is_inside(place):
            self.lines[-1] = self.lines[-1].replace("row_out", "at_out", 1)

    def _is_inside(self, place: str | None) -> bool:
        return place is not None and self.layout.inner > 1

    def _body(self, walk: Walk) -> None:
        for value in walk.reread:
            name = self.names[value]
            self.add(f"const {C_TYPES[value.dtype]} {name} = kept_{name}[{self._kept_place()}];")
        for value in _in_order(self.kernel, walk.values):
            self.value(value, "i")
        for value in walk.kept:
            name = self.names[value]
            self.add(f"kept_{name}[{self._kept_place()}] = {name};")
        for value in walk.reductions:
            self._accumulate(value)
        for number in walk.outputs:
            self.store(number, "i", self.names[self.kernel.outputs[number].value])

    # ---- Reductions ----------------------------------------------------------------------------

    def _start(self, value: Scalar) -> None:
        name, dtype = self.names[value], value.operands[0].dtype
        match value.op:
            case "sum" | "prod":
                self.add(f"{sum_type(value)} sum_{name} = {start_of(value)};")
            case "any" | "all":
                self.add(f"int sum_{name} = {start_of(value)};")
            case "max" | "min":
                self.add(f"{C_TYPES[dtype]} sum_{name} = {extreme(value)};")
                if kind_of(dtype) == "f":
                    self.add(f"int nan_{name} = 0;")
            case _:
                self.add(f"long long sum_{name} = count;")

    def _clause(self, value: Scalar) -> str:
        name = self.names[value]
        if is_float_sum(value):
            return f" reduction({COMBINE[value.op]}:part_{name})"
        if value.op in COMBINE:
            return f" reduction({COMBINE[value.op]}:sum_{name})"
        if value.op in ("argmax", "argmin"):
            return f" reduction(min:sum_{name})"
        clause = f" reduction({value.op}:sum_{name})"
        if kind_of(value.operands[0].dtype) == "f":
            clause += f" reduction(|:nan_{name})"
        return clause

    def _accumulate(self, value: Scalar) -> None:
        name, operand = self.names[value], self.names[value.operands[0]]
        note = comment(value)
        match value.op:
            case "sum" | "prod" | "any" | "all":
                into = f"part_{name}" if is_float_sum(value) else f"sum_{name}"
                self.add(f"{into} {COMBINE[value.op]}= {operand};{note}")
            case "max" | "min":
                sign = ">" if value.op.endswith("max") else "<"
                self.add(
                    f"sum_{name} = {operand} {sign} sum_{name} ? {operand} : sum_{name};{note}"
                )
                if kind_of(value.operands[0].dtype) == "f":
                    self.add(f"nan_{name} |= {operand} != {operand};")
            case _:
                found = f"{operand} == {self.names[value.operands[1]]}"
                if kind_of(value.operands[0].dtype) == "f":
                    found = f"({found} || {operand} != {operand})"
                place = self._place()
                self.add(
                    f"sum_{name} = {found} && {place} < sum_{name} ? {place} : sum_{name};{note}"
                )

    def _finish(self, value: Scalar) -> None:
        name, type = self.names[value], C_TYPES[value.dtype]
        text = f"sum_{name}"
        if value.op in ("max", "min") and kind_of(value.operands[0].dtype) == "f":
            text = f'nan_{name} ? __builtin_nanf("") : sum_{name}'
        if value.op in ("sum", "prod"):
            text = rounded(f"({type})sum_{name}", value.dtype)
        self.add(f"const {type} {name} = {text};{comment(value)}")


def _in_order(kernel: Kernel, values: Sequence[Scalar]) -> Iterable[Scalar]:
    wanted = set(values)
    return [value for value in kernel.values if value in wanted]


def is_float_sum(value: Scalar) -> bool:
    """Whether a sum is made in float, a block at a time: of values that are floats in C."""
    return value.op == "sum" and C_TYPES[value.dtype] == "float"


def sum_type(value: Scalar) -> str:
    return "double" if kind_of(value.dtype) == "f" else "long long"


def start_of(value: Scalar) -> str:
    """What a reduction of nothing is."""
    return _START[value.op] if value.op in _START else extreme(value)


def extreme(value: Scalar) -> str:
    """What no element is beyond."""
    dtype = value.operands[0].dtype
    if kind_of(dtype) == "f":
        return literal(float("-inf") if value.op.endswith("max") else float("inf"), dtype)
    if dtype == torch.bool:
        return "false" if value.op.endswith("max") else "true"
    limits = torch.iinfo(dtype)
    return literal(limits.min if value.op.endswith("max") else limits.max, dtype)
