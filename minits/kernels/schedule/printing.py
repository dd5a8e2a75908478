"""A schedule as text, for readers: `minits compile --emit=loops`.

The text is like Python. `total.v2` is the accumulator of the reduction v2; `row.v2`, `kept.v1` and
`block.v1` are where values wait for a later loop. A reduction of nothing starts a total: `max()`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from minits.kernels.ir.kernel import Direction, Kernel, Scalar
from minits.kernels.ir.layout import Layout
from minits.kernels.ir.printing import Names, source_line
from minits.kernels.schedule.cpu import schedule_for_cpu
from minits.kernels.schedule.cuda import Form, schedule_for_cuda
from minits.kernels.schedule.loops import (
    Accumulate,
    AddBlock,
    Buffer,
    Combine,
    EndOfBlock,
    Finish,
    For,
    Leave,
    Let,
    Locate,
    Point,
    Read,
    ReadChunk,
    Scan,
    Schedule,
    Section,
    Start,
    Statement,
    Store,
    SumBlock,
    SumColumns,
    Write,
    WriteChunk,
)
from minits.kernels.schedule.usual import AT_ONCE, EXPONENT, Usual


def print_loops(kernel: Kernel, layout: Layout, name: str) -> str:
    """Return the text of a kernel's loops on a CPU, and on a GPU for rows of any length."""
    cpu = schedule_text(schedule_for_cpu(kernel, layout), f"{name} on a CPU")
    gpu = schedule_text(schedule_for_cuda(kernel, layout, Form()), f"{name} on a GPU")
    return f"{cpu}\n{gpu}"


def schedule_text(schedule: Schedule, title: str) -> str:
    """Return the text of a schedule: a title, then its loops."""
    printer = _Printer(schedule)
    lines = [f"{title}:", *[f"    # {note}" for note in _assumptions(schedule.usual)]]
    lines += printer.indented([Let(value) for value in schedule.once])
    lines += printer.indented(schedule.loops)
    return "\n".join(lines) + "\n"


def _assumptions(usual: Usual) -> Iterator[str]:
    """Yield the assumptions of loops about operands, in sentences."""
    if usual.rare:
        dtypes = " or ".join([str(dtype).removeprefix("torch.") for dtype in usual.rare])
        yield f"for usual operands: {AT_ONCE} elements at a time, again if one of {dtypes} was rare"
    if usual.exponent is not None:
        yield f"once more for parameter {usual.exponent} = {EXPONENT}"


class _Printer:
    def __init__(self, schedule: Schedule) -> None:
        kernel = schedule.kernel
        self.calls = schedule.calls
        self.names = Names(kernel.values, lambda number, dtype: repr(number))
        self.inputs = len(kernel.inputs)

    def indented(self, body: Iterable[Statement]) -> Iterator[str]:
        for statement in body:
            for line in self.lines(statement):
                yield f"    {line}"

    def lines(self, statement: Statement) -> Iterator[str]:
        match statement:
            case For():
                yield f"for each {_head(statement)}:"
                yield from self.indented(statement.body)
            case EndOfBlock(step):
                yield f"after every {step} columns, and after the last:"
                yield from self.indented(statement.body)
            case Section(sweep):
                yield "# after all sweeps" if sweep is None else f"# sweep {sweep}"
                for each in statement.body:
                    yield from self.lines(each)
            case _:
                yield self._line(statement)

    def _line(self, statement: Statement) -> str:
        match statement:
            case Locate(tensors, dims):
                names = [*map(self._tensor, tensors), *[f"i{dim}" for dim in dims]]
                return f"locate rows in {', '.join(names)}"
            case Point(tensors, dims, kept):
                names = [*map(self._tensor, tensors), *[self._in(Buffer.KEPT, v) for v in kept]]
                at = f"[{', '.join([f'i{dim}' for dim in range(dims)])}]" if dims else ""
                return f"point to {', '.join([f'{name}{at}' for name in names])}"
            case ReadChunk(number):
                return f"read chunk of input {number}"
            case WriteChunk(number):
                return f"write chunk of output {number}"
            case Let(value):
                source = source_line(value)
                line = f"{self.names[value]} = {self._operation(value)}"
                return line if source is None else f"{line}  # {source}"
            case Read(value, buffer):
                return f"{self.names[value]} = {self._in(buffer, value)}"
            case Write(value, buffer):
                return f"{self._in(buffer, value)} = {self.names[statement.written]}"
            case Start(value):
                return f"{self._total(value)} = {value.op}()"
            case Accumulate(value, of_block):
                total = self._total(value, of_block)
                operands = [total, *[self.names[each] for each in value.operands]]
                return f"{total} = {value.op}({', '.join(operands)})"
            case AddBlock(value):
                return f"{self._total(value)} += {self._total(value, True)}"
            case SumBlock(value, buffer):
                return f"{self._total(value)} += sum({self._elements(value, buffer)})"
            case Finish(value):
                return f"{self.names[value]} = {self._total(value)}"
            case Leave(value):
                return f"parts.{self.names[value]} = {self._total(value)}"
            case Combine(value):
                total, part = self._total(value), f"parts.{self.names[value]}"
                return f"{total} = {value.op}({total}, {part})"
            case Scan(value):
                row = self._in(Buffer.KEPT, value)
                back = ", backward" if value.payload is Direction.BACKWARD else ""
                return f"{row} = {value.op}({row}{back})"
            case Store(output, value, is_waiting):
                name = self._in(Buffer.ROW, value) if is_waiting else self.names[value]
                return f"output {output} = {name}"
            case SumColumns(output, is_kept):
                lost = "" if is_kept else ", which is not kept"
                return f"columns of output {output} += sum over the rows of the group{lost}"
        raise AssertionError(statement)

    def _operation(self, value: Scalar) -> str:
        if value in self.calls:
            call = self.calls[value]
            return f"{call.function}({', '.join([self.names[each] for each in call.operands])})"
        operands = ", ".join([self.names[operand] for operand in value.operands])
        payload = "" if value.payload is None else f" {value.payload}"
        if value.op == "cast":
            payload = f" {str(value.dtype).removeprefix('torch.')}"
        return f"{value.op}{payload}{f'({operands})' if operands else ''}"

    def _tensor(self, number: int) -> str:
        return f"input {number}" if number < self.inputs else f"output {number - self.inputs}"

    def _in(self, buffer: Buffer, value: Scalar) -> str:
        return f"{buffer.value}.{self.names[value]}"

    def _total(self, value: Scalar, of_block: bool = False) -> str:
        return f"{'block_total' if of_block else 'total'}.{self.names[value]}"

    def _elements(self, value: Scalar, buffer: Buffer | None) -> str:
        """Return the name of the elements of a block."""
        operand = value.operands[0]
        if buffer is None:
            return f"block of input {operand.payload}"
        return self._in(buffer, operand if buffer is Buffer.KEPT else value)


def _head(loop: For) -> str:
    text = loop.over.value.format(step=loop.step, dim=loop.dim, rows=loop.rows)
    if loop.over.is_shared:
        return f"{text}, shared by threads"
    return f"{text}, in vectors" if loop.in_vectors else text
