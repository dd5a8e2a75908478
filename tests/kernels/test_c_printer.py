"""C kernels: what they compute, in all layouts and dtypes, and what their text looks like."""

from __future__ import annotations

import math
import re
import shutil

import pytest
import torch
from torch import Tensor

from minits.kernels.cpu.c_printer import print_c
from minits.kernels.fused_kernel import FusedKernel
from minits.kernels.ir.builder import Builder
from minits.kernels.ir.evaluate import evaluate
from minits.kernels.ir.kernel import Kernel, Level
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.schedule.cpu import cpu_sweeps
from tests.support.kernel_samples import Sample, samples

needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, ("gcc", "cc", "clang"))), reason="there is no C compiler"
)
TOLERANCES = {
    torch.float32: 2e-6,
    torch.float64: 1e-12,
    torch.float16: 2e-3,
    torch.bfloat16: 1.6e-2,
}
"""A few units in the last place of sums and of polynomials; the halves are rounded once."""


@pytest.mark.one_in(30)
@needs_compiler
@pytest.mark.parametrize("sample", [pytest.param(s, id=s.name) for s in samples()])
def test_kernels_compute_what_torch_does(sample: Sample) -> None:
    results = FusedKernel(sample.lowered)(*sample.tensors, *sample.numbers)
    for found, expected in zip(results, sample.expected, strict=True):
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        if found.dtype.is_floating_point:
            limit = TOLERANCES[found.dtype]
            torch.testing.assert_close(found, expected, rtol=limit, atol=limit, equal_nan=True)
        else:
            assert torch.equal(found, expected)


def softmax() -> Kernel:
    k = Builder(reduced=1)
    x = k.load(k.input(torch.float32))
    t = k("div", x, k.constant(8.0, torch.float32))
    e = k("exp", k("sub", t, k.reduce("max", t)))
    k.output(k("div", e, k.reduce("sum", e)))
    return k.finish()


FLAT = Layout(1, 0, ((Stride.UNIT,),), ((Stride.UNIT,),))


def gate(is_shared: bool) -> Kernel:
    k = Builder()
    x = k.load(k.input(torch.float32))
    s, t = k("sigmoid", x), k("tanh", k("neg", x))
    product = k("mul", t, s)
    k.output(k("add", product, t) if is_shared else product)
    return k.finish()


@needs_compiler
def test_a_gate_has_one_division() -> None:
    assert "mts_sigmoid_tanh_f32(" in print_c(gate(is_shared=False), FLAT, "gate")
    assert "mts_sigmoid_tanh_f32(" not in print_c(gate(is_shared=True), FLAT, "gate")
    inf, nan = float("inf"), float("nan")
    special = torch.tensor([0.0, -0.0, inf, -inf, nan, 1e-40, 88.0, -88.0, -103.0, -500.0])
    x = torch.cat([special, torch.linspace(-20, 20, 10_000), torch.linspace(-87, 87, 999)])
    wide = x.double()
    true = wide.neg().tanh() * wide.sigmoid()
    found = one_input(gate(is_shared=False), x[None])[0]
    torch.testing.assert_close(found.double(), true, rtol=5e-7, atol=2e-45, equal_nan=True)
    assert torch.equal(found[:2].signbit(), true[:2].signbit())


@pytest.mark.one_in(2)
@needs_compiler
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_halves_of_all_bits_are_read_rounded_and_written(dtype: torch.dtype) -> None:
    def kernel(op: str, *numbers: float) -> Kernel:
        k = Builder()
        x = k.load(k.input(dtype))
        k.output(k(op, x, *[k.constant(number, dtype) for number in numbers]))
        return k.finish()

    x = torch.arange(-(2**15), 2**15, dtype=torch.int16).view(dtype)[None]
    expected = {
        kernel("relu"): torch.relu(x),
        kernel("mul", 0.3): x * torch.tensor(0.3, dtype=dtype),
        kernel("mul", 300.0): x * 300.0,
        kernel("add", 1.0): x + 1.0,
        kernel("neg"): -x,
    }
    for each, true in expected.items():
        found = one_input(each, x)
        torch.testing.assert_close(found, true, rtol=0, atol=0, equal_nan=True)
        assert torch.equal(found.signbit() | true.isnan(), true.signbit() | true.isnan())
    assert "mts_round" not in print_c(kernel("relu"), FLAT, "relu")


ROW = Layout(1, 1, ((Stride.ANY, Stride.UNIT),), ((Stride.ANY, Stride.UNIT),))


def test_costly_values_are_kept_between_walks() -> None:
    sweeps = cpu_sweeps(softmax())
    assert [[v.op for v in sweep.reductions] for sweep in sweeps] == [["max"], ["sum"], []]
    assert [v.op for v in sweeps[1].kept] == ["exp"]
    assert [v.op for v in sweeps[2].reread] == ["exp"]


@pytest.mark.one_in(2)
@needs_compiler
@pytest.mark.parametrize("columns", [20, 64, 3000])
def test_softmax_is_eagers_to_its_smallest_results(columns: int) -> None:
    generator = torch.Generator().manual_seed(columns)
    x = torch.randn(40, columns, generator=generator) * 300
    inf = float("inf")
    x[0, 1], x[1, 2], x[2, 3], x[3] = inf, -inf, float("nan"), -inf
    x[4] = x[4].sort()[0] / 1e30
    powers = (x / 8 - (x / 8).amax(-1, keepdim=True)).double().exp()
    found, true = one_input(softmax(), x), powers / powers.sum(-1, keepdim=True)
    torch.testing.assert_close(found.double(), true, rtol=5e-7, atol=3e-45, equal_nan=True)
    assert bool(((found > 0) & (found < 1e-38)).any())
    text = print_c(softmax(), ROW, "softmax")
    assert "mts_exp_of_negative_f32(" in text
    assert "mts_share_f32(" in text


def centred() -> Kernel:
    """x + y less its mean, that divided by the mean of its squares, and both means."""
    k = Builder(reduced=1)
    s = k("add", k.load(k.input(torch.float32)), k.load(k.input(torch.float32)))
    count = k.count(torch.float32)
    mean = k("div", k.reduce("sum", s), count)
    rest = k("sub", s, mean)
    square = k("div", k.reduce("sum", k("mul", rest, rest)), count)
    for value in (k("div", rest, square), mean, square):
        k.output(value)
    return k.finish()


def test_what_is_summed_is_written_once_and_read_by_later_walks() -> None:
    sweeps = cpu_sweeps(centred())
    assert [[v.op for v in sweep.kept] for sweep in sweeps] == [["add"], [], []]
    assert [[v.op for v in sweep.reread] for sweep in sweeps] == [[], ["add"], ["add"]]


@needs_compiler
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("length", [65, 100, 129, 700, 2048, 2049, 5000])
def test_rows_are_told_apart_in_tiles_that_they_do_not_fill(length: int, threads: int) -> None:
    generator = torch.Generator().manual_seed(length)
    x = torch.randn(37, length, generator=generator) + torch.arange(37.0)[:, None]
    y = torch.randn(length, generator=generator)
    s = (x + y).double()
    mean = s.mean(-1)
    rest = s - mean[:, None]
    square = (rest * rest).mean(-1)
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(threads)
        found = FusedKernel(Sample("", centred(), [x, y], []).lowered)(x, y)
    finally:
        torch.set_num_threads(before)
    for result, expected in zip(found, (rest / square[:, None], mean, square), strict=True):
        torch.testing.assert_close(result.double(), expected, rtol=2e-5, atol=2e-5)


@pytest.mark.one_in(4)
@needs_compiler
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_exponents_that_are_parameters_are_eagers(dtype: torch.dtype) -> None:
    k = Builder()
    x = k.load(k.input(dtype))
    k.output(k("pow", x, k.cast(k.parameter(torch.float64), dtype)))
    kernel = k.finish()
    inf = float("inf")
    special = torch.tensor([0.0, -0.0, 1.0, -1.0, inf, -inf, float("nan"), 6e-5])
    given = torch.cat([torch.linspace(-3, 3, 200), special]).to(dtype)
    function = FusedKernel(Sample("", kernel, [given], [], [2.0]).lowered)
    for exponent in (2.0, 0.5, -0.5, 3.0, -1.0, 1.7, 0.0, -2.5, inf, -inf, float("nan")):
        found, expected = function(given, exponent)[0], given.pow(exponent)
        torch.testing.assert_close(found, expected, equal_nan=True)
        is_number = ~expected.isnan()
        assert torch.equal(found[is_number].signbit(), expected[is_number].signbit())
    assert "p0 == 2.0" in function.texts[0]


@needs_compiler
def test_many_values_of_a_row_take_little_of_the_stack() -> None:
    k = Builder(reduced=1)
    x = k.load(k.input(torch.float64))
    powers = [k("exp", k("mul", x, k.constant(-i / 4, torch.float64))) for i in range(12)]
    for power in powers:
        k.output(k("div", power, k.reduce("sum", power)))
    kernel = k.finish()
    for length in (70, 1000, 1366, 3000, 5000):
        compare(kernel, [torch.rand(5, length, dtype=torch.float64)], (5, length))
    text = print_c(kernel, Layout(1, 1, ROW.inputs, ROW.outputs * 12), "powers")
    sizes = [int(size) for size in re.findall(r"double near_\w+\[(\d+)\]", text)]
    assert len(sizes) == 12
    assert sum(sizes) * 8 <= 1 << 17


@needs_compiler
@pytest.mark.parametrize("threads", [1, 2])
def test_rows_that_do_not_fit_into_memory_raise(threads: int) -> None:
    k = Builder(reduced=1)
    doubled = k("mul", k.load(k.input(torch.float32)), k.constant(2.0, torch.float32))
    k.output(k.reduce("sum", k("sub", doubled, k.reduce("sum", doubled))))
    rows = torch.ones(2, 1).expand(2, 1 << 50)
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(threads)
        with pytest.raises(MemoryError, match="no memory to keep a row"):
            FusedKernel(Sample("", k.finish(), [rows], []).lowered)(rows)
    finally:
        torch.set_num_threads(before)


def test_the_text_is_the_same_each_time() -> None:
    layout = Layout(1, 1, ((Stride.ANY, Stride.UNIT),) * 2, ((Stride.ANY, Stride.UNIT),) * 3)
    assert len({print_c(centred(), layout, "centred") for _ in range(20)}) == 1


def test_the_text_names_one_function_and_no_header() -> None:
    text = print_c(softmax(), ROW, "softmax")
    assert text.count("int softmax(") == 1
    assert "#include" not in text
    assert "ffast-math" not in text


@pytest.mark.one_in(2)
@needs_compiler
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_halves_are_read_and_rounded_as_torch_does(dtype: torch.dtype) -> None:
    every = torch.arange(-(2**15), 2**15, dtype=torch.int32).to(torch.int16).view(dtype)
    k = Builder()
    k.output(k.cast(k.load(k.input(dtype)), torch.float32))
    found = one_input(k.finish(), every)
    assert torch.equal(found.isnan(), every.float().isnan())
    assert torch.equal(found[~found.isnan()], every.float()[~found.isnan()])

    k = Builder()
    k.output(k.cast(k.load(k.input(torch.float32)), dtype))
    generator = torch.Generator().manual_seed(0)
    bits = torch.randint(-(2**31), 2**31 - 1, (300_000,), generator=generator).to(torch.int32)
    wide = bits.view(torch.float32)
    near = torch.randn(100_000, generator=generator) * torch.logspace(-9, 6, 100_000)
    ties = every.float()[~every.isnan()] * (1 + torch.finfo(dtype).eps / 2)
    for values in (wide, near, ties):
        found = one_input(k.finish(), values)
        expected = values.to(dtype)
        assert torch.equal(found.isnan(), expected.isnan())
        assert torch.equal(found[~found.isnan()], expected[~found.isnan()])


def one_input(kernel: Kernel, tensor: Tensor) -> Tensor:
    return FusedKernel(Sample("", kernel, [tensor], []).lowered)(tensor)[0]


@needs_compiler
def test_long_sums_are_as_good_as_torchs() -> None:
    k = Builder(reduced=1)
    k.output(k.reduce("sum", k.load(k.input(torch.float32))))
    x = torch.rand(2, 3_000_000)
    found = one_input(k.finish(), x)
    torch.testing.assert_close(found.double(), x.double().sum(-1), rtol=2e-7, atol=0)


@pytest.mark.one_in(2)
@needs_compiler
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_sums_of_rows_are_right_to_a_few_units_in_the_last_place(dtype: torch.dtype) -> None:
    """Rows of all kinds: side by side, in tiles, longer than a block, of several dimensions."""
    generator = torch.Generator().manual_seed(0)
    for shape in ((90, 20), (90, 63), (90, 64), (9, 700), (9, 5000), (2, 90_000), (9, 17, 50, 3)):
        k = Builder(reduced=len(shape) - 1)
        x, y = k.load(k.input(dtype)), k.load(k.input(dtype))
        k.output(k.reduce("sum", x))
        k.output(k.reduce("sum", k("mul", x, y)))
        a = torch.rand(shape, generator=generator, dtype=dtype)
        b = torch.rand((shape[0], *[1] * (len(shape) - 2), shape[-1]), generator=generator)
        b = b.to(dtype)
        found = FusedKernel(Sample("", k.finish(), [a, b], []).lowered)(a, b)
        for sums, terms in zip(found, (a, a * b), strict=True):
            exact = [math.fsum(row.flatten().tolist()) for row in terms]
            wrong = (sums.double() - torch.tensor(exact, dtype=torch.float64)).abs()
            assert bool((wrong <= 3 * torch.finfo(dtype).eps * sums).all()), shape


@needs_compiler
def test_sums_of_infinities_are_infinite() -> None:
    k = Builder(reduced=1)
    k.output(k.reduce("sum", k.load(k.input(torch.float64))))
    inf, most = float("inf"), torch.finfo(torch.float64).max
    x = torch.ones(5, 3000, dtype=torch.float64)
    x[0, 5] = x[1, 2000] = x[2, 2500] = inf
    x[1, 7] = -inf
    x[3, ::1500] = -most
    x[4, 8] = float("nan")
    found = one_input(k.finish(), x)
    torch.testing.assert_close(found, x.sum(-1), rtol=0, atol=0, equal_nan=True)


@needs_compiler
def test_threads_share_the_work() -> None:
    k = Builder()
    x = k.load(k.input(torch.float32))
    k.output(k("mul", x, x))
    before = torch.get_num_threads()
    try:
        for threads in (1, 2, 3):
            torch.set_num_threads(threads)
            for shape in ((300_001,), (7, 50_021), (100_000, 3)):
                value = torch.randn(shape)
                assert torch.equal(one_input(k.finish(), value), value * value)
    finally:
        torch.set_num_threads(before)


def every_reduction() -> Kernel:
    """Reductions of floats, integers and flags, and values made of several of them."""
    k = Builder(reduced=1)
    x = k.load(k.input(torch.float32))
    whole = k.load(k.input(torch.int32))
    scale = k.load(k.input(torch.float32, Level.ROW))
    e = k("exp", k("sub", x, k.reduce("max", x)))
    k.output(k("mul", k("div", e, k.reduce("sum", e)), scale))
    flags = k("lt", x, scale)
    for op, value in [
        ("argmax", x), ("argmin", x), ("min", x), ("any", flags), ("all", flags), ("prod", x),
        ("sum", whole), ("max", whole), ("argmax", whole), ("sum", k.cast(x, torch.float64)),
    ]:  # fmt: skip
        k.output(k.reduce(op, value), keepdim=op == "min")
    return k.finish()


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("rows", [3, 40, 130])
def test_rows_of_all_lengths(rows: int) -> None:
    """Short ones are walked over many at once, if there are many; NaN and ties are in some."""
    kernel = every_reduction()
    for columns in (1, 2, 7, 10, 16, 31, 33, 64, 1030):
        x = torch.randn(rows, columns)
        x[0, columns // 2 :] = 3.0
        x[1, columns // 3] = float("nan")
        whole = torch.randint(-9, 9, (rows, columns), dtype=torch.int32)
        for tensors in ([x, whole, x[:, 0].clone()], [x.t().contiguous().t(), whole, x[:, -1]]):
            compare(kernel, tensors, (rows, columns))


@pytest.mark.slow
@needs_compiler
def test_short_rows_of_several_dimensions() -> None:
    k = Builder(reduced=2)
    x, y = k.load(k.input(torch.float32)), k.load(k.input(torch.float32))
    z = k("add", x, y)
    k.output(k("sub", z, k.reduce("max", z)))
    k.output(k.reduce("argmin", z))
    for shape in ((2, 70, 3, 4), (2, 3, 5, 6), (1, 20, 1, 7)):
        x = torch.randn(shape)
        compare(k.finish(), [x, torch.randn(shape[-1])], shape)
        compare(k.finish(), [x.transpose(-1, -2).contiguous().mT, torch.randn(shape[1:])], shape)


@needs_compiler
def test_short_rows_that_are_not_reduced() -> None:
    k = Builder()
    x, y = k.load(k.input(torch.float32)), k.load(k.input(torch.float32))
    k.output(k("mul", k("sigmoid", x), y))
    k.output(k("lt", x, y))
    for shape in ((100, 3), (2, 70, 1, 15), (3, 5, 4), (0, 3)):
        x = torch.randn(shape)
        for y in (torch.randn(shape[-1]), torch.randn(*shape[:-1], 1)):
            compare(k.finish(), [x, y], shape)


def compare(kernel: Kernel, tensors: list[Tensor], domain: tuple[int, ...]) -> None:
    """Compare what is built with what the kernel means."""
    results = FusedKernel(Sample("", kernel, tensors, []).lowered)(*tensors)
    for found, expected in zip(results, evaluate(kernel, tensors, [], domain), strict=True):
        wanted = torch.from_numpy(expected)
        assert found.dtype == wanted.dtype
        if found.dtype.is_floating_point:
            torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-5, equal_nan=True)
        else:
            assert torch.equal(found, wanted)
