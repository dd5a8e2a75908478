"""The machine code of CUDA kernels: 16 bytes are moved at once, and values stay in registers."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import minits
from benchmarks.patterns import PATTERNS, Pattern, load_examples
from minits.kernels.cpu.cpu_kernel import CpuKernel
from minits.kernels.cuda.cuda_printer import print_cuda
from minits.kernels.ir.builder import Builder
from minits.kernels.ir.layout import Layout, Stride
from tests.support.cuda_sweep import cuda_text
from tests.support.ptx import compiled

pytestmark = pytest.mark.usefixtures("installed")


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The CUDA texts of the kernels that are built from now on."""
    found: list[str] = []
    bind = CpuKernel.bind

    def noted(kernel: CpuKernel, lowered: Any, geometry: Any, *rest: Any, **options: Any) -> Any:
        found.append(cuda_text(kernel, geometry))
        return bind(kernel, lowered, geometry, *rest, **options)

    monkeypatch.setattr(CpuKernel, "bind", noted)
    return found


@pytest.mark.one_in(16, over="dtype")
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.name)
def test_programs_move_16_bytes_at_once(
    pattern: Pattern, dtype: torch.dtype, texts: list[str]
) -> None:
    """In no other way: these rows are whole chunks, which begin at multiples of 16 bytes."""
    arguments = pattern.arguments(1 << 12, {"dtype": dtype})
    function = minits.script(getattr(load_examples(), pattern.function))
    if pattern.backward:
        arguments = tuple(x.detach().requires_grad_() for x in arguments)
        result = function(*arguments)
        result.backward(torch.ones_like(result))
    else:
        function(*arguments)
    assert len(texts) == 1 + pattern.backward
    for text in texts:
        found = compiled(text)
        assert found.moves("ld") == found.moves("st") == {16}
        assert found.spilled == 0
        assert found.registers <= 128  # two blocks of 256 threads fill a multiprocessor's registers


@pytest.mark.parametrize(
    ("dtype", "chunk"),
    [(torch.float64, 16), (torch.int64, 16), (torch.int32, 16), (torch.uint8, 8), (torch.bool, 8)],
    ids=str,
)
def test_other_dtypes(dtype: torch.dtype, chunk: int) -> None:
    """A thread takes at most eight elements; where a row may end among them, or begin at any
    address, they are moved one by one, too.
    """
    k = Builder()
    x = k.load(k.input(dtype))
    k.output(k("where", k("eq", x, x), x, x))
    found = compiled(text_of(k, Stride.UNIT))
    assert found.moves("ld") == found.moves("st") == {dtype.itemsize, chunk}


def test_strided_memory_is_read_element_by_element() -> None:
    k = Builder()
    k.output(k("neg", k.load(k.input(torch.float32))))
    assert compiled(text_of(k, Stride.ANY)).moves("ld") == {4}


def text_of(k: Builder, stride: Stride) -> str:
    return print_cuda(k.finish(), Layout(1, 0, ((stride,),), ((Stride.UNIT,),)), "kernel")
