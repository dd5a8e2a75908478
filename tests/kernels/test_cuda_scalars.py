"""Every row of the table of scalar operations as CUDA text."""

from __future__ import annotations

import ctypes
import shutil
from typing import Any

import pytest
import torch

from minits.kernels.cuda.arguments import geometry_numbers
from minits.kernels.cuda.cuda_printer import print_cuda
from minits.kernels.cuda.nvrtc import NvrtcMissing, compile_cubin, nvrtc_version
from minits.kernels.ir.builder import Builder
from minits.kernels.ir.evaluate import evaluate
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.kernels.schedule.cuda import Form
from tests.support.cuda_emulator import build

FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
DTYPES = (
    *FLOATS, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool,
)  # fmt: skip
TOLERANCES = {torch.float32: 2e-6, torch.float64: 1e-14, torch.float16: 2e-3, torch.bfloat16: 2e-2}
"""The functions of the C++ library are not those of a GPU, nor numpy's: several ulp."""

STAND_INS = ("i0", "i1", "erfinv")
"""CUDA has these functions, C++ has others: their values are not looked at."""


def operations(dtype: torch.dtype) -> list[str]:
    """The rows that take a dtype; what is `checked` is so on CPUs only."""
    return [name for name, row in SCALAR_OPS.items() if row.takes(dtype) and name != "checked"]


def kernel_of(dtype: torch.dtype) -> Kernel:
    """One output for each row that takes the dtype; operands are the inputs, in order."""
    k = Builder()
    inputs = [k.load(k.input(dtype)) for _ in range(4)]
    flag = k.load(k.input(torch.bool))
    for name in operations(dtype):
        operands = inputs[: SCALAR_OPS[name].arity]
        if name == "where":
            operands[0] = flag
        k.output(k(name, *operands))
    return k.finish()


def text_of(dtype: torch.dtype, stride: Stride = Stride.UNIT) -> str:
    kernel = kernel_of(dtype)
    layout = Layout(1, 0, ((stride,),) * 5, ((stride,),) * len(kernel.outputs))
    return print_cuda(kernel, layout, "kernel")


@pytest.mark.one_in(20, over="arch")
@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: str(dtype)[6:])
def test_nvrtc_compiles_every_row(dtype: torch.dtype, arch: str) -> None:
    try:
        nvrtc_version()
    except NvrtcMissing as fault:
        pytest.skip(str(fault))
    # One element at a time: the same statements, in a fraction of the code.
    assert compile_cubin(text_of(dtype, Stride.ANY), arch).startswith(b"\x7fELF")


@pytest.fixture(scope="module")
def launches(tmp_path_factory: pytest.TempPathFactory) -> dict[torch.dtype, Any]:
    """All texts, compiled as C++ at once."""
    folder = tmp_path_factory.mktemp("scalars")
    built = build([text_of(dtype, Stride.ANY) for dtype in DTYPES], folder)
    return {dtype: found["kernel"] for dtype, found in zip(DTYPES, built, strict=True)}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: str(dtype)[6:])
def test_values_of_every_row(dtype: torch.dtype, launches: dict[torch.dtype, Any]) -> None:
    kernel, tensors = kernel_of(dtype), operands_of(dtype)
    count = tensors[0].numel()
    outputs = [torch.empty(count, dtype=output.value.dtype) for output in kernel.outputs]
    run(launches[dtype], [*tensors, *outputs], count)
    inputs = [tensor.float() if dtype == torch.bfloat16 else tensor for tensor in tensors[:4]]
    expected = evaluate(kernel, [*inputs, tensors[4]], [], (count,))
    wrong = {
        name: difference(mine, torch.from_numpy(theirs).to(mine.dtype))
        for name, mine, theirs in zip(operations(dtype), outputs, expected, strict=True)
        if name not in STAND_INS
    }
    tolerance = TOLERANCES.get(dtype, 0)
    assert {name: found for name, found in wrong.items() if found > tolerance} == {}


def operands_of(dtype: torch.dtype) -> list[torch.Tensor]:
    """Four operands, of which the first two are special values in all combinations; and a flag."""
    if dtype.is_floating_point:
        numbers = [0.0, -0.0, 1, -1, 0.5, -0.7, 2.5, -2.5, 3, 20.5, 1e-5, -3e4]
        one = torch.tensor([*numbers, float("inf"), float("-inf"), float("nan")]).to(dtype)
    elif dtype == torch.bool:
        one = torch.tensor([False, True])
    else:
        limits = torch.iinfo(dtype)
        one = torch.tensor([*range(-3 if limits.min else 0, 10), limits.min, limits.max]).to(dtype)
    pairs = torch.cartesian_prod(one, one)
    a, b = (pairs[:, side].contiguous() for side in range(2))
    return [a, b, a.flip(0).contiguous(), b.roll(5), b > a]


def run(launch: Any, tensors: list[torch.Tensor], count: int) -> None:
    """Launch with the arguments that the driver would get."""
    kinds = ((Stride.ANY,),)
    layout = Layout(1, 0, kinds * 5, kinds * (len(tensors) - 5))
    numbers = geometry_numbers(layout, [count], [[1]] * len(tensors))
    geometry = (ctypes.c_uint * len(numbers))(*numbers)
    pointers = (ctypes.c_ulonglong * len(tensors))(*[tensor.data_ptr() for tensor in tensors])
    places = [ctypes.addressof(pointers) + 8 * place for place in range(len(tensors))]
    places.append(ctypes.addressof(geometry))
    launch(2, Form().block, (ctypes.c_void_p * len(places))(*places))


def difference(mine: torch.Tensor, theirs: torch.Tensor) -> float:
    """The largest difference, relative to 1 + the value; infinite if one is not finite, or NaN."""
    a, b = mine.double(), theirs.double()
    same = (a == b) | (a.isnan() & b.isnan())
    return (
        torch.where(same, 0.0, (a - b).abs() / (1 + b.abs())).nan_to_num(float("inf")).max().item()
    )
