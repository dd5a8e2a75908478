"""The loops of a kernel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch

from minits.kernels.c_printer.texts import (
    STORED,
    Names,
    comment,
    expression,
    literal,
    load,
    rounded,
    stored,
)
from minits.kernels.c_printer.walks import Walk, walks_of
from minits.kernels.kernel import Kernel, Level, Scalar
from minits.kernels.layout import Layout, Stride
from minits.kernels.scalar_ops.row import C_TYPES, kind_of

STRETCH = 8192
"""Elements of a task, where the last dimension is longer."""
LONGEST_ON_STACK = 1024
"""Rows up to this length keep their values on the stack, others on the heap."""
BLOCK = 1024
"""Elements that are summed in float before the sum is added to one in double."""


class Loops:
    """What the two kinds of kernels have in common. Lines are indented by four spaces a level."""

    def __init__(self, kernel: Kernel, layout: Layout) -> None:
        self.kernel = kernel
        self.layout = layout
        self.names = Names(kernel.values)
        self.lines: list[str] = []
        self.depth = 1

    def add(self, text: str) -> None:
        self.lines.append(f"{'    ' * self.depth}{text}" if text else "")

    def open(self, text: str) -> None:
        self.add(f"{text} {{")
        self.depth += 1

    def close(self) -> None:
        self.depth -= 1
        self.add("}")

    def pragma(self, text: str) -> None:
        self.add(f"#pragma {text}")

    # ---- Sizes and strides ---------------------------------------------------------------------

    def size(self, dim: int) -> str:
        return f"g[{dim}]"

    def stride(self, tensor: int, dim: int) -> str:
        """The place in `g` of a stride; outputs are numbered after the inputs."""
        return f"g[{self.layout.rank * (1 + tensor) + dim}]"

    def declare_sizes(self) -> None:
        for dim in range(self.layout.rank):
            self.add(f"const long long n{dim} = {self.size(dim)};")

    @property
    def tensors(self) -> list[tuple[str, tuple[Stride, ...], str]]:
        """The name, the strides and the C type of each input and each output."""
        kernel, layout = self.kernel, self.layout
        inputs = [
            (f"in{i}", strides, f"const {STORED[x.dtype]}")
            for i, (x, strides) in enumerate(zip(kernel.inputs, layout.inputs, strict=True))
        ]
        outputs = [
            (f"out{i}", strides, STORED[x.value.dtype])
            for i, (x, strides) in enumerate(zip(kernel.outputs, layout.outputs, strict=True))
        ]
        return inputs + outputs

    def declare_rows(self, dims: int) -> None:
        """Work out where each tensor is at the indices `i0`, ... of the first dimensions."""
        for number, (name, strides, type) in enumerate(self.tensors):
            if not self._is_read(name):
                continue
            terms = [
                f"i{dim} * {self.stride(number, dim)}"
                for dim in range(dims)
                if strides[dim] is not Stride.ZERO
            ]
            self.add(f"{type} *restrict row_{name} = {' + '.join([name, *terms])};")

    def _is_read(self, name: str) -> bool:
        if name.startswith("out"):
            return True
        number = int(name.removeprefix("in"))
        return any(v.op == "load" and v.payload == number for v in self.kernel.values)

    def split_index(self, dims: int, index: str) -> None:
        """Declare `i0`, ... from an index of the first dimensions taken as one."""
        if dims == 1:
            self.add(f"const long long i0 = {index};")
            return
        for dim in reversed(range(dims)):
            rest = "rest" if dim < dims - 1 else index
            if dim == 0:
                self.add(f"const long long i0 = {rest};")
            else:
                self.add(f"const long long i{dim} = {rest} % n{dim};")
                self.add(f"{'rest' if dim < dims - 1 else 'long long rest'} = {rest} / n{dim};")

    # ---- Values --------------------------------------------------------------------------------

    def value(self, value: Scalar, place: str | None = None) -> None:
        """Declare a value; of a load `place` is the index along the innermost dimension."""
        if value.op == "constant":
            return
        is_load = value.op == "load"
        text = self.loaded(value, place) if is_load else expression(value, self.names)
        self.add(f"const {C_TYPES[value.dtype]} {self.names[value]} = {text};{comment(value)}")

    def loaded(self, value: Scalar, place: str | None) -> str:
        number = value.payload
        return load(value.dtype, f"row_in{number}[{self.offset(number, place)}]")

    def offset(self, tensor: int, place: str | None) -> str:
        """The index of an element in its row; outputs are numbered after the inputs."""
        _, strides, _ = self.tensors[tensor]
        if place is None or strides[-1] is Stride.ZERO:
            return "0"
        if strides[-1] is Stride.UNIT:
            return place
        return f"{place} * {self.stride(tensor, self.layout.rank - 1)}"

    def store(self, output: int, place: str | None, text: str) -> None:
        dtype = self.kernel.outputs[output].value.dtype
        index = self.offset(len(self.kernel.inputs) + output, place)
        self.add(f"row_out{output}[{index}] = {stored(dtype, text)};")

    def is_uniform(self, value: Scalar) -> bool:
        """Whether a value is the same for the whole call: made of numbers alone."""
        return value.op in ("constant", "parameter", "count") or (
            bool(value.operands)
            and not value.is_reduction
            and all(self.is_uniform(operand) for operand in value.operands)
        )

    def declare_uniform(self) -> None:
        for value in self.kernel.values:
            if self.is_uniform(value):
                self.value(value)


class Elementwise(Loops):
    """Kernels that reduce nothing."""

    def tasks(self) -> str:
        """How many there are: rows of the last dimension times stretches of a row."""
        last = self.layout.rank - 1
        sizes = [self.size(dim) for dim in range(last)]
        return " * ".join([*sizes, f"(({self.size(last)} + {STRETCH - 1}) / {STRETCH})"])

    def text(self) -> str:
        last = self.layout.rank - 1
        self.declare_sizes()
        self.declare_uniform()
        self.add(f"const long long stretches = (n{last} + {STRETCH - 1}) / {STRETCH};")
        self.open("for (long long task = begin; task < end; ++task)")
        if last:
            self.add("const long long row = task / stretches;")
            self.split_index(last, "row")
        self.add(f"const long long first = task % stretches * {STRETCH};")
        self.add(f"const long long rest_of_row = n{last} - first;")
        self.add(
            f"const long long past = first + (rest_of_row < {STRETCH} ? rest_of_row : {STRETCH});"
        )
        self.declare_rows(last)
        varying = [v for v in self.kernel.values if not self.is_uniform(v)]
        in_row = [v for v in varying if v.op == "load" and self._stands_still(v)]
        for value in in_row:
            self.value(value)
        self.pragma("omp simd")
        self.open("for (long long i = first; i < past; ++i)")
        for value in varying:
            if value not in in_row:
                self.value(value, "i")
        for number, output in enumerate(self.kernel.outputs):
            self.store(number, "i", self.names[output.value])
        self.close()
        self.close()
        return "\n".join(self.lines) + "\n"

    def _stands_still(self, value: Scalar) -> bool:
        return self.layout.inputs[value.payload][-1] is Stride.ZERO


_START = {"sum": "0", "prod": "1", "any": "0", "all": "1"}
_COMBINE = {"sum": "+", "prod": "*", "any": "|", "all": "&"}


class Rows(Loops):
    """Kernels with reductions: a task is a row; `walks_of` tells how it is walked over."""

    def __init__(self, kernel: Kernel, layout: Layout) -> None:
        super().__init__(kernel, layout)
        self.walks = walks_of(kernel)
        self.kept = [value for walk in self.walks for value in walk.kept]

    def tasks(self) -> str:
        return " * ".join([self.size(dim) for dim in range(self.layout.outer)]) or "1"

    def text(self) -> str:
        outer = self.layout.outer
        self.declare_sizes()
        inner = range(outer, self.layout.rank)
        self.add(f"const long long count = {' * '.join(f'n{dim}' for dim in inner)};")
        self.declare_uniform()
        self._declare_buffers()
        self.open("for (long long task = begin; task < end; ++task)")
        if outer:
            self.split_index(outer, "task")
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
        self.close()
        for value in self.kept:
            name = f"kept_{self.names[value]}"
            self.add(f"if ({name} != near_{self.names[value]}) free({name});")
        return "\n".join(self.lines) + "\n"

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
        blocked = [v for v in walk.reductions if _is_blocked(v)]
        if blocked:
            self.open(f"for (long long block = 0; block < n{last}; block += {BLOCK})")
            self.add(
                f"const long long stop = block + {BLOCK} < n{last} ? block + {BLOCK} : n{last};"
            )
            for value in blocked:
                self.add(f"float part_{self.names[value]} = {_START[value.op]};")
        serial = any(value.op in ("argmax", "argmin") for value in walk.reductions)
        if serial:
            pass
        else:
            self.pragma("omp simd" + "".join(self._clause(value) for value in walk.reductions))
        begin, end = ("block", "stop") if blocked else ("0", f"n{last}")
        self.open(f"for (long long i = {begin}; i < {end}; ++i)")
        self._body(walk)
        self.close()
        if blocked:
            for value in blocked:
                name = self.names[value]
                self.add(f"sum_{name} {_COMBINE[value.op]}= part_{name};")
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
        """The index in a row's buffer."""
        return "i" if self.layout.inner == 1 else "base + i"

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
            self.add(f"const {C_TYPES[value.dtype]} {name} = kept_{name}[{self._place()}];")
        for value in _in_order(self.kernel, walk.values):
            self.value(value, "i")
        for value in walk.kept:
            name = self.names[value]
            self.add(f"kept_{name}[{self._place()}] = {name};")
        for value in walk.reductions:
            self._accumulate(value)
        for number in walk.outputs:
            self.store(number, "i", self.names[self.kernel.outputs[number].value])

    # ---- Reductions ----------------------------------------------------------------------------

    def _start(self, value: Scalar) -> None:
        name, dtype = self.names[value], value.operands[0].dtype
        match value.op:
            case "sum" | "prod":
                self.add(f"{_sum_type(value)} sum_{name} = {_START[value.op]};")
            case "any" | "all":
                self.add(f"int sum_{name} = {_START[value.op]};")
            case "max" | "min":
                self.add(f"{C_TYPES[dtype]} sum_{name} = {_extreme(value)};")
                if kind_of(dtype) == "f":
                    self.add(f"int nan_{name} = 0;")
            case _:
                self.add(f"{C_TYPES[dtype]} best_{name} = 0;")
                self.add(f"long long sum_{name} = -1;")

    def _clause(self, value: Scalar) -> str:
        name = self.names[value]
        if _is_blocked(value):
            return f" reduction({_COMBINE[value.op]}:part_{name})"
        if value.op in _COMBINE:
            return f" reduction({_COMBINE[value.op]}:sum_{name})"
        clause = f" reduction({value.op}:sum_{name})"
        if kind_of(value.operands[0].dtype) == "f":
            clause += f" reduction(|:nan_{name})"
        return clause

    def _accumulate(self, value: Scalar) -> None:
        name, operand = self.names[value], self.names[value.operands[0]]
        note = comment(value)
        match value.op:
            case "sum" | "prod" | "any" | "all":
                into = f"part_{name}" if _is_blocked(value) else f"sum_{name}"
                self.add(f"{into} {_COMBINE[value.op]}= {operand};{note}")
            case "max" | "min":
                sign = ">" if value.op == "max" else "<"
                self.add(
                    f"sum_{name} = {operand} {sign} sum_{name} ? {operand} : sum_{name};{note}"
                )
                if kind_of(value.operands[0].dtype) == "f":
                    self.add(f"nan_{name} |= {operand} != {operand};")
            case _:
                sign = ">" if value.op == "argmax" else "<"
                better = f"{operand} {sign} best_{name}"
                if kind_of(value.operands[0].dtype) == "f":
                    better += f" || ({operand} != {operand} && best_{name} == best_{name})"
                self.open(f"if (sum_{name} < 0 || {better})")
                self.add(f"best_{name} = {operand};{note}")
                self.add(f"sum_{name} = {self._place()};")
                self.close()

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


def _is_blocked(value: Scalar) -> bool:
    """Whether a sum is made in float, a block at a time: of values that are floats in C."""
    return value.op == "sum" and C_TYPES[value.dtype] == "float"


def _sum_type(value: Scalar) -> str:
    return "double" if kind_of(value.dtype) == "f" else "long long"


def _extreme(value: Scalar) -> str:
    """What no element is beyond."""
    dtype = value.operands[0].dtype
    if kind_of(dtype) == "f":
        return literal(float("-inf") if value.op == "max" else float("inf"), dtype)
    if dtype == torch.bool:
        return "false" if value.op == "max" else "true"
    limits = torch.iinfo(dtype)
    return literal(limits.min if value.op == "max" else limits.max, dtype)
