"""Loops over float16 in strips of some elements, so that processors convert a strip at once.

Gcc makes no vectors by itself of the instructions that convert float16. So a loop is written twice:
for whole strips, in which converting stands between short loops over lanes, and for what is left.

    const float v2 = mts_round_f16((v0 + 1.0f));      in the loop that is left

    mts_load_lanes_f16(lane_v0, &row_in0[i]);         of a strip
    for (int lane = 0; lane < MTS_LANES; ++lane) {
        const long long i = strip0 + lane;
        const float v0 = lane_v0[lane];
        const float v2 = (v0 + 1.0f);
        lane_v2[lane] = v2;
    }
    mts_round_lanes_f16(lane_v2);

Each short loop becomes one vector instruction a statement, and the arrays become registers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import torch

from minits.kernels.cpu.c_printer.expressions import COMBINE, accumulators, comment
from minits.kernels.cpu.c_printer.function_body import RARE_TYPES, FunctionBody, rare_flag
from minits.kernels.cpu.c_printer.statements import rare_notes, value_text, write_statement
from minits.kernels.ir.kernel import Scalar
from minits.kernels.ir.printing import Lines, Names
from minits.kernels.scalar_ops.row import C_TYPES
from minits.kernels.schedule.loops import Accumulate, For, Let, Read, Statement, Store, Write
from minits.records import dataclass

_LOAD, _ROUND = "mts_load_f16", "mts_round_f16"
_REDUCED = ("max", "min", *COMBINE)


@dataclass(frozen=True, slots=True)
class Step:
    """A line of the body of a strip. One `of_strip` is for all lanes at once."""

    text: str
    of_strip: bool = False


def has_lanes(loop: For) -> bool:
    """Return whether a loop over columns is to be written in strips."""
    values = [each.value for each in loop.body if isinstance(each, Let | Store)]
    return (
        loop.in_vectors
        and any(value.dtype == torch.float16 for value in values)
        and all(_is_simple(each) for each in loop.body)
    )


def _is_simple(statement: Statement) -> bool:
    match statement:
        case Accumulate(value, of_block):
            kinds = {prefix for _, prefix, _ in accumulators(value, side_by_side=False)}
            return not of_block and value.op in _REDUCED and kinds <= {"sum", "nan"}
        case Store():
            return not statement.is_waiting
    return isinstance(statement, Let | Read | Write)


def write_strips(body: FunctionBody, loop: For, strip: str) -> None:
    """Write a loop for whole strips. `strip` is the index of the next one, at last of the rest."""
    values = [each.value for each in loop.body if isinstance(each, Let | Read)]
    sums = [each.value for each in loop.body if isinstance(each, Accumulate)]
    body.elements.in_columns = True
    steps = [step for each in loop.body for step in _steps(body, each, values)]
    body.elements.in_columns = False
    steps.sort(key=lambda step: not step.text.startswith("mts_load_lanes"))
    flags = [(rare_flag(dtype), RARE_TYPES[dtype]) for dtype in body.rare]
    Strips(body, body.names, strip, values, sums, flags).write(steps, *body.columns)


def _steps(body: FunctionBody, statement: Statement, values: list[Scalar]) -> Iterator[Step]:
    """Give the lines of a statement in a strip. The `values` are those of the lanes."""
    match statement:
        case Let(value) if value.dtype == torch.float16:
            yield from _steps_of_half(body, value)
            return
        case Store(output, value) if value.dtype == torch.float16 and value in values:
            element = body.elements.output(output)
            if _is_next(element):
                yield Step(f"mts_store_lanes_f16(&{element}, lane_{body.names[value]});", True)
                return
    with body.aside() as lines:
        write_statement(body, statement)
    yield from map(Step, lines)


def _steps_of_half(body: FunctionBody, value: Scalar) -> Iterator[Step]:
    name, text, note = body.names[value], value_text(body, value), comment(value)
    element = text.removeprefix(f"{_LOAD}(").removesuffix(")")
    if text.startswith(_LOAD) and _is_next(element):
        yield Step(f"mts_load_lanes_f16(lane_{name}, &{element});{note}", True)
        return
    yield Step(f"const float {name} = {text.removeprefix(_ROUND)};{note}")
    yield from map(Step, rare_notes(body, value))
    if text.startswith(_ROUND):
        yield Step(f"mts_round_lanes_f16(lane_{name});", True)


def _is_next(element: str) -> bool:
    """Return whether the elements of a strip that a text names lie next to each other."""
    return re.fullmatch(r"\w+\[i\]", element) is not None


class Strips:
    """Writes the loop over whole strips. `strip` is the variable with the index of the first lane.

    `steps` are the lines of the body, of which the values are `values`; `sums` are accumulated, and
    so are `flags`, names and types of variables that bits are set in.
    """

    def __init__(
        self,
        lines: Lines,
        names: Names,
        strip: str,
        values: Iterable[Scalar],
        sums: list[Scalar],
        flags: list[tuple[str, str]],
    ) -> None:
        self.lines = lines
        self.strip = strip
        self.types = {names[value]: C_TYPES[value.dtype] for value in values}
        self.sums: list[tuple[Scalar | None, str, str, str]] = [
            (value, f"{prefix}_{names[value]}", type, nothing)
            for value in sums
            for type, prefix, nothing in accumulators(value, side_by_side=False)
        ]
        self.sums += [(None, flag, type, "0") for flag, type in flags]

    def write(self, steps: list[Step], begin: str, end: str) -> None:
        add, strip = self.lines.add, self.strip
        for _, name, type, nothing in self.sums:
            add(f"{type} lane_{name}[MTS_LANES];")
            add(f"for (int lane = 0; lane < MTS_LANES; ++lane) lane_{name}[lane] = {nothing};")
        add(f"long long {strip} = {begin};")
        with self.lines.block(f"for (; {strip} + MTS_LANES <= {end}; {strip} += MTS_LANES)"):
            add(f"const long long i = {strip};")
            with self.lines.aside() as body:
                self._body(steps)
            text = "\n".join(body)
            for name, type in self.types.items():
                if _names(f"lane_{name}", text):
                    add(f"{type} lane_{name}[MTS_LANES] __attribute__((aligned(64)));")
            for line in body:
                add(line)
        for value, name, type, _ in self.sums:
            with self.lines.block("for (int lane = 0; lane < MTS_LANES; ++lane)"):
                add(f"const {type} found = lane_{name}[lane];")
                add(_combined(value, name))

    def _body(self, steps: list[Step]) -> None:
        waiting: list[str] = []
        for number, step in enumerate(steps):
            if not step.of_strip:
                waiting.append(step.text)
            if waiting and (step.of_strip or number == len(steps) - 1):
                later = steps[number if step.of_strip else number + 1 :]
                self._lanes(waiting, "\n".join([each.text for each in later]))
                waiting = []
            if step.of_strip:
                self.lines.add(step.text)

    def _lanes(self, body: list[str], later: str) -> None:
        """Write a loop over lanes. What it needs of others, and they of it, goes through arrays."""
        text = "\n".join(body)
        made = [name for name in self.types if re.search(rf" {name} = ", text)]
        used = [name for name in self.types if _names(name, text) and name not in made]
        sums = [(name, type) for _, name, type, _ in self.sums if _names(name, text)]
        self.lines.add("#pragma omp simd")
        with self.lines.block("for (int lane = 0; lane < MTS_LANES; ++lane)"):
            self.lines.add(f"const long long i = {self.strip} + lane;")
            for name in used:
                self.lines.add(f"const {self.types[name]} {name} = lane_{name}[lane];")
            for name, type in sums:
                self.lines.add(f"{type} {name} = lane_{name}[lane];")
            for line in body:
                self.lines.add(line)
            for name in made:
                if _names(f"(lane_)?{name}", later):
                    self.lines.add(f"lane_{name}[lane] = {name};")
            for name, _ in sums:
                self.lines.add(f"lane_{name}[lane] = {name};")


def _names(name: str, text: str) -> bool:
    return re.search(rf"\b{name}\b", text) is not None


def _combined(value: Scalar | None, name: str) -> str:
    """Return the statement that combines what a lane has `found` with an accumulator.

    Without a value it is a flag.
    """
    if value is None or name.startswith("nan"):
        return f"{name} |= found;"
    if value.op in COMBINE:
        return f"{name} {COMBINE[value.op]}= found;"
    return f"{name} = found {'>' if value.op == 'max' else '<'} {name} ? found : {name};"
