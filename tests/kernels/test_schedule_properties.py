"""Drawn kernels: all schedules of one compute what `evaluate` says, and need each statement."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from minits.kernels.ir.builder import Builder
from minits.kernels.ir.evaluate import evaluate
from minits.kernels.ir.kernel import Direction, Kernel, Level, Scalar
from minits.kernels.ir.layout import Layout
from minits.kernels.schedule.cpu import schedule_for_cpu
from minits.kernels.schedule.cuda import Form, can_split, chunk_of, schedule_for_cuda
from minits.kernels.schedule.loops import EndOfBlock, For, Schedule, Section, Statement
from minits.kernels.schedule.printing import schedule_text
from minits.kernels.schedule.short_rows import may_have_short_rows
from minits.records import replace
from tests.support.kernel_samples import Sample, samples
from tests.support.loops import run_loops

F64 = torch.float64
UNARY = ("neg", "abs", "relu")
BINARY = ("add", "sub", "mul", "maximum", "minimum")
REDUCTIONS = ("sum", "prod", "max", "min", "argmax", "argmin", "any", "all")
SCANS = ("cumsum", "cummax", "cummin")


@st.composite
def drawn(draw: st.DrawFn) -> Sample:
    """A kernel of a few values, and inputs that broadcast: small whole numbers, as float64."""
    shape = tuple(draw(st.lists(st.sampled_from([1, 2, 3, 5, 18]), min_size=1, max_size=3)))
    k = Builder(draw(st.integers(0, len(shape))))
    seed = torch.Generator().manual_seed(draw(st.integers(0, 1000)))
    tensors: list[Tensor] = []
    values: list[Scalar] = [k.constant(2.0, F64), k.cast(k.parameter(F64), F64)]
    for level in draw(st.lists(st.sampled_from(Level), max_size=2)):
        is_row = level is Level.ROW and k.kernel.reduced
        whole = shape[: len(shape) - k.kernel.reduced] if is_row else shape
        sizes = tuple(draw(st.sampled_from([size, 1])) for size in whole)
        tensors.append(torch.randint(-2, 3, sizes, generator=seed).to(F64))
        values.append(k.load(k.input(F64, Level.ROW if is_row else Level.FULL)))
    tensors.append(torch.randint(-2, 3, shape, generator=seed).to(F64))
    values.append(k.load(k.input(F64)))
    if draw(st.booleans()):
        tensors[-1] = tensors[-1].mT.contiguous().mT if len(shape) > 1 else tensors[-1]
    for _ in range(draw(st.integers(1, 7))):
        values.append(draw(made(k, values)))
    for value in [values[-1], *draw(st.lists(st.sampled_from(values), max_size=2))]:
        if value.op not in ("constant", "cast"):
            k.output(value)
    return Sample("drawn", k.finish(), tensors, [], [3.0])


@st.composite
def made(draw: st.DrawFn, k: Builder, values: list[Scalar]) -> Scalar:
    """A value of those that there are, as float64."""
    kinds = ["unary", "binary", "binary"]
    full = [value for value in values if value.level is Level.FULL]
    kinds += ["reduction"] * 2 if k.kernel.reduced and full else []
    kinds += ["scan"] if k.kernel.reduced == 1 and full else []
    match draw(st.sampled_from(kinds)):
        case "unary":
            return k(draw(st.sampled_from(UNARY)), draw(st.sampled_from(values)))
        case "binary":
            operands = [draw(st.sampled_from(values)) for _ in range(2)]
            return k(draw(st.sampled_from(BINARY)), *operands)
        case "scan":
            op, direction = draw(st.sampled_from(SCANS)), draw(st.sampled_from(Direction))
            return k.scan(op, draw(st.sampled_from(full)), direction)
    op, operand = draw(st.sampled_from(REDUCTIONS)), draw(st.sampled_from(full))
    if op in ("any", "all"):
        operand = k("lt", operand, k.constant(1.0, F64))
    return k.cast(k.reduce(op, operand), F64)


def makers(kernel: Kernel, layout: Layout, columns: int) -> Iterator[partial[Schedule]]:
    """All ways of making schedules of a kernel for a layout, and rows of so many columns."""
    yield partial(schedule_for_cpu)
    if may_have_short_rows(layout):
        yield partial(schedule_for_cpu, is_short=True)
    yield partial(schedule_for_cuda, form=Form())
    if not kernel.scans:
        yield partial(schedule_for_cuda, form=Form(threads=4, steps=1))
    if not kernel.scans and columns > chunk_of(kernel, layout):
        yield partial(schedule_for_cuda, form=Form(threads=4, steps=1, goes_on=True))
        yield partial(schedule_for_cuda, form=Form(threads=4, steps=1, goes_on=True, shared=99))
    if layout.inner and can_split(kernel):
        yield partial(schedule_for_cuda, form=Form(threads=512, splits=True))


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(sample=drawn(), is_reversed=st.booleans())
def test_drawn_kernels(sample: Sample, is_reversed: bool) -> None:
    """Also where threads and vectors go from the last to the first."""
    arguments = [*sample.tensors, *sample.numbers]
    shape = tuple(sample.tensors[-1].shape)
    wanted = evaluate(sample.kernel, sample.tensors, sample.numbers, shape)
    for make in makers(sample.kernel, sample.geometry.layout, sample.geometry.sizes[-1]):
        found = run_loops(sample.lowered, arguments, make, is_reversed)
        for mine, theirs in zip(found, map(torch.as_tensor, wanted), strict=True):
            torch.testing.assert_close(mine, theirs, rtol=1e-12, atol=0, equal_nan=True)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "name", ["contiguous", "softmax 7", "centred 5", "scanned 6", "chosen 3", "places 3"]
)
def test_each_statement_of_a_schedule_is_needed(name: str) -> None:
    (sample,) = [sample for sample in samples() if sample.name == name]
    arguments = [*sample.tensors, *sample.numbers]
    for make in makers(sample.kernel, sample.geometry.layout, sample.geometry.sizes[-1]):
        if name == "softmax 7" and "goes_on=True" in str(make):
            continue  # the maximum of the first chunks alone gives the same quotients
        whole = run_loops(sample.lowered, arguments, make)
        schedule = make(sample.kernel, sample.geometry.layout)
        for fewer in without_one(schedule):
            try:
                found = run_loops(sample.lowered, arguments, lambda *_, fewer=fewer: fewer)
            except (KeyError, TypeError):
                continue  # what the statement makes is missing
            assert not all(map(torch.equal, found, whole)), schedule_text(fewer, name)


def without_one(schedule: Schedule) -> Iterator[Schedule]:
    """Schedules that lack one statement each."""
    for index in range(len(schedule.loops)):
        field = ("loop", "combination")[index]
        for body in bodies_without_one(schedule.loops[index].body):
            yield replace(schedule, **{field: replace(schedule.loops[index], body=body)})


def bodies_without_one(body: tuple[Statement, ...]) -> Iterator[tuple[Statement, ...]]:
    for index, statement in enumerate(body):
        before, after = body[:index], body[index + 1 :]
        yield before + after
        if isinstance(statement, For | Section | EndOfBlock):
            for inside in bodies_without_one(statement.body):
                yield (*before, replace(statement, body=inside), *after)
