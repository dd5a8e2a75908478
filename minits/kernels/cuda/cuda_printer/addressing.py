"""Lines of CUDA, and how a kernel's tensors are addressed in them.

const auto x0 = read_chunk(row_in0 + i1, filled);     neighbouring elements of an input
x0.at[k]                                              one of them
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from minits.kernels.ir.kernel import Kernel, Scalar
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.ir.printing import STORED, Names


class Lines:
    """Lines with an indent."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._depth = 0

    def __call__(self, line: str) -> None:
        self.lines.append("    " * self._depth + line if line else "")

    @contextmanager
    def block(self, line: str) -> Iterator[None]:
        """Open a block in braces."""
        self(f"{line} {{")
        self._depth += 1
        yield
        self._depth -= 1
        self("}")

    @contextmanager
    def unrolled(self, line: str) -> Iterator[None]:
        """Open a loop that the compiler is to unroll."""
        self.lines.append("#pragma unroll")
        with self.block(line):
            yield

    def __str__(self) -> str:
        return "\n".join(self.lines) + "\n"


def tensors_of(layout: Layout) -> list[tuple[str, tuple[Stride, ...]]]:
    """Return the name and the strides of each tensor: `in0`, ..., `out0`, ..."""
    inputs = [(f"in{index}", strides) for index, strides in enumerate(layout.inputs)]
    return inputs + [(f"out{index}", strides) for index, strides in enumerate(layout.outputs)]


def looked_up(value: Scalar, begin: str, moved: str, names: Names, where: str = "") -> str:
    """Return the text for an element of a table; `moved` is its offset without looking up.

    It is read `where` a bool is true, if there is one; else it is zero.
    """
    number = value.payload
    indices, guard = value.indices
    terms = [
        f" + (Index)({names[index]}) * g.in{number}_step{dim}" for dim, index in enumerate(indices)
    ]
    element = f"*({begin}{number}{moved}{''.join(terms)})"
    guards = [where] * bool(where) + ([names[guard]] if guard is not None else [])
    if not guards:
        return element
    return f"({' && '.join(guards)} ? {element} : ({STORED[value.dtype]})0)"


def position(value: Scalar, layout: Layout) -> str:
    """Return the text for the index along a dimension of the domain."""
    dim = dict(layout.positions)[value.payload]
    if dim is None:
        return "0"
    return f"(long long)(i{dim} + k)" if dim == layout.rank - 1 else f"(long long)i{dim}"


def offset(name: str, strides: Sequence[Stride], dims: range) -> str:
    """Return ` + i0 * g.in0_0 + i1`: a tensor's offset along some dimensions."""
    steps = {Stride.ZERO: "", Stride.UNIT: " + i{0}", Stride.ANY: " + i{0} * g.{1}_{0}"}
    return "".join([steps[strides[dim]].format(dim, name) for dim in dims])


def declare_indices(lines: Lines, index: str, dims: range, fastest: str | None = None) -> None:
    """Take an index apart into `i0`, `i1`, ..., the last dimension fastest.

    `fastest` is the name of the number of chunks of the last dimension: its index is that of the
    chunk's first element.
    """
    chunk = " * CHUNK" if fastest else ""
    if len(dims) == 1:
        lines(f"const Index i{dims[0]} = {index}{chunk};")
        return
    lines(f"Index rest = {index};")
    for dim in reversed(dims[1:]):
        is_last = fastest is not None and dim == dims[-1]
        size = fastest if is_last else f"g.size{dim}"
        lines(f"const Index i{dim} = rest % {size}{chunk if is_last else ''};")
        lines(f"rest /= {size};")
    if dims:
        lines(f"const Index i{dims[0]} = rest;")


def read(lines: Lines, kernel: Kernel, layout: Layout, inputs: Sequence[int], begin: str) -> None:
    """Read a chunk of each input, `x0`, ..., or the one element of those that stand still.

    `begin` is the prefix of the names of pointers to which offsets are added: `in` or `row_in`; the
    last dimension's index is of the chunk's first element.
    """
    first = 0 if begin == "in" else layout.outer
    last = layout.rank - 1
    for index in inputs:
        strides = layout.inputs[index]
        moved = offset(f"in{index}", strides, range(first, layout.rank))
        pointer = f"{begin}{index}{moved}"
        match strides[last]:
            case Stride.ZERO:
                lines(
                    f"const auto x{index} = *({pointer});"
                    if moved
                    else f"const auto x{index} = *{pointer};"
                )
            case Stride.UNIT:
                lines(f"const auto x{index} = read_chunk({pointer}, filled);")
            case Stride.ANY:
                step = f"g.in{index}_{last}"
                lines(f"const auto x{index} = read_strided({pointer}, {step}, filled);")


def write(lines: Lines, layout: Layout, outputs: Sequence[int], begin: str) -> None:
    """Write the chunks `y0`, ... of some outputs. `begin` is `out` or `row_out`."""
    first = 0 if begin == "out" else layout.outer
    last = layout.rank - 1
    for index in outputs:
        strides = layout.outputs[index]
        pointer = f"{begin}{index}{offset(f'out{index}', strides, range(first, layout.rank))}"
        if strides[last] is Stride.ANY:
            lines(f"write_strided({pointer}, g.out{index}_{last}, y{index}, filled);")
        else:
            lines(f"write_chunk({pointer}, y{index}, filled);")


def flat_index(layout: Layout) -> str:
    """Return the index of element `k` along the reduced dimensions, flattened."""
    text = f"i{layout.outer}"
    for dim in range(layout.outer + 1, layout.rank):
        text = f"({text}) * g.size{dim} + i{dim}"
    return f"(long long)({text} + k)"


def element(layout: Layout, index: int) -> str:
    """Return an input's element within the chunk that has been read."""
    is_still = layout.inputs[index][-1] is Stride.ZERO
    return f"x{index}" if is_still else f"x{index}.at[k]"
