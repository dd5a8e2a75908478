"""Schedules: what their loops compute, one element after the other, is what the kernel does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
import torch

from minits.kernels.ir.builder import Builder
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.schedule.column_sums import with_column_sums
from minits.kernels.schedule.cpu import schedule_for_cpu
from minits.kernels.schedule.cuda import Form, can_split, schedule_for_cuda
from minits.kernels.schedule.loops import Schedule
from minits.kernels.schedule.printing import schedule_text
from minits.kernels.schedule.short_rows import may_have_short_rows
from minits.kernels.schedule.usual import Usual
from tests.support.kernel_samples import Sample, samples
from tests.support.loops import run_loops, run_with_sums

TOLERANCES = {
    torch.float32: 4e-6,
    torch.float64: 1e-12,
    torch.float16: 2e-3,
    torch.bfloat16: 1.6e-2,
}
"""A few units in the last place, of sums too; the halves are rounded once."""
SAMPLES = [pytest.param(s, id=s.name) for s in samples() if s.geometry.count <= 10_000]


FORMS = [
    Form(),
    Form(threads=4, steps=1),
    Form(threads=4, steps=1, goes_on=True),
    Form(threads=512, splits=True),
]


@pytest.mark.one_in(6, over="is_short")
@pytest.mark.parametrize("is_short", [False, True])
@pytest.mark.parametrize("sample", SAMPLES)
def test_loops_for_a_cpu_compute_what_torch_does(sample: Sample, is_short: bool) -> None:
    if is_short and not may_have_short_rows(sample.geometry.layout):
        pytest.skip("no neighbouring rows")
    compare(sample, partial(schedule_for_cpu, is_short=is_short))


@pytest.mark.one_in(11, over="form")
@pytest.mark.parametrize("form", FORMS, ids=["computed again", "kept", "goes on", "split"])
@pytest.mark.parametrize("sample", SAMPLES)
def test_loops_for_a_gpu_compute_what_torch_does(sample: Sample, form: Form) -> None:
    if form.splits and not (sample.geometry.layout.inner and can_split(sample.kernel)):
        pytest.skip("rows are not split")
    compare(sample, partial(schedule_for_cuda, form=form))


def compare(sample: Sample, schedule_of: Callable[[Kernel, Layout], Schedule]) -> None:
    results = run_loops(sample.lowered, [*sample.tensors, *sample.numbers], schedule_of)
    for found, expected in zip(results, sample.expected, strict=True):
        assert (found.shape, found.stride()) == (expected.shape, expected.stride())
        if expected.dtype.is_floating_point:
            limit = TOLERANCES[expected.dtype]
            wide = expected.to(found.dtype)
            torch.testing.assert_close(found, wide, rtol=limit, atol=limit, equal_nan=True)
        else:
            assert torch.equal(found, expected)


@pytest.mark.parametrize("name", ["broadcast column", "softmax 200"])
def test_sums_of_columns_are_made_of_groups_of_rows(name: str) -> None:
    (sample,) = [sample for sample in samples() if sample.name == name]

    def schedule_of(kernel: Kernel, layout: Layout) -> Schedule:
        return with_column_sums(schedule_for_cpu(kernel, layout), [(0, False)])

    (found,), sums = run_with_sums(sample.lowered, [*sample.tensors, *sample.numbers], schedule_of)
    wanted = found.double().flatten(0, -2).sum(0)
    torch.testing.assert_close(torch.from_numpy(sums[0]), wanted.reshape(sums[0].shape))


# ---- Texts -------------------------------------------------------------------------------------

ROW = (Stride.ANY, Stride.UNIT)
ROWS = Layout(1, 1, (ROW,), (ROW,))


def softmax() -> Kernel:
    k = Builder(reduced=1)
    x = k("div", k.load(k.input(torch.float32)), k.constant(8.0, torch.float32))
    e = k("exp", k("sub", x, k.reduce("max", x)))
    k.output(k("div", e, k.reduce("sum", e)))
    return k.finish()


def test_text_of_tiles() -> None:
    """Each row of a tile is swept over three times; powers are kept, quotients computed again."""
    assert schedule_text(schedule_for_cpu(softmax(), ROWS), "softmax") == TILES


def test_text_of_neighbouring_rows() -> None:
    schedule = schedule_for_cpu(softmax(), ROWS, is_short=True)
    assert schedule_text(schedule, "softmax") == NEIGHBOURS


def test_text_of_a_row_that_is_split() -> None:
    k = Builder(reduced=1)
    k.output(k.reduce("argmax", k.load(k.input(torch.float32))))
    layout = Layout(1, 1, (ROW,), ((Stride.ANY, Stride.ZERO),))
    schedule = schedule_for_cuda(k.finish(), layout, Form(threads=512, splits=True))
    assert schedule_text(schedule, "argmax") == SPLIT


def test_text_of_usual_operands() -> None:
    """Of halves the sines are computed in float32, which has rare operands; powers are of `p0`."""
    k = Builder()
    x = k.load(k.input(torch.bfloat16))
    k.output(k("pow", k("sin", x), k.cast(k.parameter(torch.float64), torch.bfloat16)))
    schedule = schedule_for_cpu(k.finish(), Layout(1, 0, (ROW[1:],), (ROW[1:],)))
    assert schedule.usual == Usual((torch.float32,), 0)
    assert schedule_text(schedule, "power") == USUAL


def test_text_of_sums_of_columns() -> None:
    k = Builder()
    x, y = k.load(k.input(torch.float32)), k.load(k.input(torch.float32))
    k.output(k("mul", x, k("exp", y)))
    layout = Layout(2, 0, (ROW, (Stride.ANY, Stride.ZERO)), (ROW,))
    schedule = with_column_sums(schedule_for_cpu(k.finish(), layout), [(0, False)])
    assert schedule_text(schedule, "product") == SUMS


USUAL = """\
power:
    # for usual operands: 8192 elements at a time, again if one of float32 was rare
    # once more for parameter 0 = 2.0
    v2 = parameter 0
    v3 = cast bfloat16(v2)
    for each stretch of 8192 columns of a row, shared by threads:
        point to input 0, output 0
        for each column, in vectors:
            v0 = load 0
            v1 = sin(v0)
            v4 = pow_by_number(v1, v3)
            output 0 = v4
"""
TILES = """\
softmax:
    for each tile of 16 rows, or 1024 elements, shared by threads:
        locate rows in input 0, output 0
        # sweep 0
        for each row:
            point to input 0[i0], output 0[i0]
            total.v3 = max()
            for each column, in vectors:
                v0 = load 0
                v2 = div(v0, 8.0)
                total.v3 = max(total.v3, v2)
            v3 = total.v3
            row.v3 = v3
        # sweep 1
        for each row:
            point to input 0[i0], output 0[i0], kept.v5[i0]
            v3 = row.v3
            total.v6 = sum()
            for each block of 1024 columns:
                for each column, in vectors:
                    v0 = load 0
                    v2 = div(v0, 8.0)
                    v4 = sub(v2, v3)
                    v5 = exp_of_negative(v4)
                    kept.v5 = v5
                total.v6 += sum(kept.v5)
            v6 = total.v6
            row.v6 = v6
        # sweep 2
        for each row:
            point to output 0[i0], kept.v5[i0]
            v6 = row.v6
            for each column, in vectors:
                v5 = kept.v5
                v7 = share(v5, v6)
                output 0 = v7
"""
NEIGHBOURS = """\
softmax:
    for each group of 64 neighbouring rows, shared by threads:
        point to input 0[i0], output 0[i0], kept.v5[i0]
        # sweep 0
        for each row, in vectors:
            total.v3 = max()
        for each column:
            for each row, in vectors:
                v0 = load 0
                v2 = div(v0, 8.0)
                total.v3 = max(total.v3, v2)
        for each row, in vectors:
            v3 = total.v3
            row.v3 = v3
        # sweep 1
        for each row, in vectors:
            total.v6 = sum()
        for each column:
            for each row, in vectors:
                v3 = row.v3
                v0 = load 0
                v2 = div(v0, 8.0)
                v4 = sub(v2, v3)
                v5 = exp_of_negative(v4)
                kept.v5 = v5
                block_total.v6 = sum(block_total.v6, v5)
            after every 8 columns, and after the last:
                for each row, in vectors:
                    total.v6 += block_total.v6
        for each row, in vectors:
            v6 = total.v6
            row.v6 = v6
        # sweep 2
        for each column:
            for each row, in vectors:
                v6 = row.v6
                v5 = kept.v5
                v7 = share(v5, v6)
                output 0 = v7
"""
SPLIT = """\
argmax:
    for each part of a row, shared by threads:
        point to input 0[i0], output 0[i0]
        # sweep 0
        total.v1 = argmax()
        for each chunk of 4 columns, shared by threads:
            read chunk of input 0
            for each column, in vectors:
                v0 = load 0
                total.v1 = argmax(total.v1, v0)
        parts.v1 = total.v1
    for each row by itself, shared by threads:
        point to input 0[i0], output 0[i0]
        total.v1 = argmax()
        for each part of the row:
            total.v1 = argmax(total.v1, parts.v1)
        v1 = total.v1
        output 0 = v1
"""
SUMS = """\
product:
    for each group of rows with 2048 elements, shared by threads:
        for each stretch of 8192 columns of a row, shared by threads:
            point to input 0[i0], input 1[i0], output 0[i0]
            v1 = load 1
            v2 = exp(v1)
            for each column, in vectors:
                v0 = load 0
                v3 = mul(v0, v2)
                output 0 = v3
        columns of output 0 += sum over the rows of the group, which is not kept
"""
