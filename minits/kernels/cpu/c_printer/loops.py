"""What the loops of all kinds of kernels have in common."""

from __future__ import annotations

from minits.kernels.cpu.c_printer.rare import FOUND, TYPES, rare_dtypes
from minits.kernels.cpu.c_printer.texts import (
    comment,
    expression,
    literal,
    load,
    rare_dtype,
    rare_test,
    stored,
)
from minits.kernels.ir.kernel import Kernel, Scalar
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.ir.printing import STORED, Names
from minits.kernels.scalar_ops.row import C_TYPES

_UNIFORM = ("constant", "parameter", "count", "length")
"""What is the same for the whole call."""


class Loops:
    """Lines are indented by four spaces a level. What they compute is right for all operands if
    they `take_all`, else for usual ones: see `rare`.
    """

    def __init__(self, kernel: Kernel, layout: Layout, takes_all: bool = False) -> None:
        self.takes_all = takes_all
        self.rare = () if takes_all else rare_dtypes(kernel)
        self.kernel = kernel
        self.layout = layout
        self.names = Names(kernel.values, literal)
        self.lines: list[str] = []
        self.depth = 1
        self._uniform: dict[Scalar, bool] = {}

    def add(self, text: str) -> None:
        self.lines.append(f"{'    ' * self.depth}{text}" if text else "")

    def open(self, text: str) -> None:
        self.add(f"{text} {{")
        self.depth += 1

    def close(self) -> None:
        self.depth -= 1
        self.add("}")

    def pragma_simd(self, clauses: str = "") -> None:
        """Announce a loop whose iterations do not depend on each other, but for the checks."""
        noted = ["failed"] if self.has_checks else []
        noted += [f"rare_{dtype}" for dtype in self.rare]
        reductions = "".join([f" reduction(|:{name})" for name in noted])
        self.add(f"#pragma omp simd{clauses}{reductions}")

    @property
    def has_checks(self) -> bool:
        return any(value.op == "checked" for value in self.kernel.values)

    def end(self) -> None:
        """Return from a range of tasks: 0, or 2 if a check failed, or that an operand was rare."""
        if self.rare:
            found = " | ".join([f"rare_{dtype}" for dtype in self.rare])
            self.add(f"if ({found}) return {FOUND};")
        self.add("return failed ? 2 : 0;" if self.has_checks else "return 0;")

    # ---- Sizes and strides ---------------------------------------------------------------------

    def size(self, dim: int) -> str:
        return f"g[{dim}]"

    def stride(self, tensor: int, dim: int) -> str:
        """The place in `g` of a stride; outputs are numbered after the inputs."""
        return f"g[{self.layout.rank * (1 + tensor) + dim}]"

    def declare_sizes(self) -> None:
        for dim in range(self.layout.rank):
            self.add(f"const long long n{dim} = {self.size(dim)};")
        for table, strides in enumerate(self.layout.tables):
            for dim, stride in enumerate(strides):
                if stride is Stride.ANY:
                    step = self.table_number(table, len(strides) + dim)
                    self.add(f"const long long step{table}_{dim} = {step};")
        if self.has_checks:
            self.add("int failed = 0;")
        for dtype in self.rare:
            self.add(f"{TYPES[dtype]} rare_{dtype} = 0;")

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
        return any(v.is_read and v.payload == number for v in self.kernel.values)

    def first_index(self, dims: int, index: str) -> None:
        """Declare `i0`, ... of the first task from an index of the first dimensions as one."""
        for dim in reversed(range(1, dims)):
            self.add(f"long long i{dim} = {index} % n{dim};")
            self.add(f"long long rest{dim} = {index} / n{dim};")
            index = f"rest{dim}"
        if dims:
            self.add(f"long long i0 = {index};")

    def next_index(self, dims: int) -> None:
        """Move `i0`, ... on to the next row: divisions cost as much as a short row."""
        for dim in reversed(range(1, dims)):
            self.open(f"if (++i{dim} == n{dim})")
            self.add(f"i{dim} = 0;")
        if dims:
            self.add("++i0;")
        for _ in range(1, dims):
            self.close()

    # ---- Values --------------------------------------------------------------------------------

    def value(self, value: Scalar, place: str | None = None) -> None:
        """Declare a value; of a load `place` is the index along the innermost dimension."""
        if value.op == "constant":
            return
        if value.op == "checked":
            self.add(f"failed |= !{self.names[value.operands[1]]};{comment(value)}")
        text = self._text(value, place)
        self.add(f"const {C_TYPES[value.dtype]} {self.names[value]} = {text};{comment(value)}")
        if self.rare and rare_dtype(value) is not None:
            self.add(f"rare_{rare_dtype(value)} |= {rare_test(value, self.names)};")

    def _text(self, value: Scalar, place: str | None) -> str:
        match value.op:
            case "load" | "look_up":
                return self.loaded(value, place)
            case "position":
                dim = dict(self.layout.positions)[value.payload]
                return "0" if dim is None else self.position(dim)
            case "length":
                return self.table_number(*value.payload)
        return expression(value, self.names, self.takes_all)

    def loaded(self, value: Scalar, place: str | None) -> str:
        number = value.payload
        terms = [self.offset(number, place)]
        indices, guard = value.indices
        for dim, index in enumerate(indices):
            is_unit = self.layout.tables[number][dim] is Stride.UNIT
            terms.append(f"{self.names[index]}{'' if is_unit else f' * step{number}_{dim}'}")
        text = load(value.dtype, f"row_in{number}[{' + '.join(terms)}]")
        return text if guard is None else f"{self.names[guard]} ? {text} : 0"

    def position(self, dim: int) -> str:
        """The index along a dimension."""
        return "i" if dim == self.layout.rank - 1 else f"i{dim}"

    def table_number(self, table: int, number: int) -> str:
        """The place in `g` of a size or, behind these, a stride of what is looked up in."""
        inputs = self.kernel.inputs
        before = 2 * sum(each.looked_up for each in inputs[:table])
        first = self.layout.rank * (1 + len(self.tensors)) + len(inputs)
        return f"g[{first + before + number}]"

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
        known = self._uniform.get(value)
        if known is None:
            known = self._uniform[value] = value.op in _UNIFORM or (
                bool(value.operands)
                and not (value.ends_walk or value.is_read)
                and all(self.is_uniform(operand) for operand in value.operands)
            )
        return known

    def declare_uniform(self) -> None:
        for value in self.kernel.values:
            if self.is_uniform(value):
                self.value(value)
