"""Rare operands: kernels whose loops are for usual ones compute the others as torch does."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from minits.kernels.cpu.c_math import c_functions
from minits.kernels.cpu.c_printer import print_c
from minits.kernels.ir.builder import Builder
from minits.kernels.ir.kernel import Kernel
from minits.kernels.ir.layout import Layout, Stride
from minits.kernels.scalar_ops import SCALAR_OPS, WITH_RARE_OPERANDS
from tests.kernels.test_c_printer import needs_compiler, one_input

TOLERANCES = {torch.float32: 1e-6, torch.float64: 1e-13, torch.float16: 2e-3}
FLAT = Layout(1, 0, ((Stride.UNIT,),), ((Stride.UNIT,),))


def kernel_of(op: str, dtype: torch.dtype, reduces: bool) -> Kernel:
    """Return `op(x)`, or `op(x, 0.7)`, or the greatest of a row."""
    k = Builder(reduced=1 if reduces else 0)
    x = k.load(k.input(dtype))
    operands = [x, k.constant(0.7, dtype)][: SCALAR_OPS[op].arity]
    y = k(op, *operands)
    k.output(k.reduce("max", y) if reduces else y)
    return k.finish()


def expected(op: str, x: Tensor, reduces: bool) -> Tensor:
    operands = [x, torch.full_like(x, 0.7)][: SCALAR_OPS[op].arity]
    found: Tensor = getattr(torch, op)(*operands)
    return found.amax(-1) if reduces else found


@pytest.mark.one_in(24, over="dtype")
@needs_compiler
@pytest.mark.parametrize("dtype", TOLERANCES, ids=str)
@pytest.mark.parametrize("op", sorted(WITH_RARE_OPERANDS))
def test_rare_operands_are_computed_as_torch_does(op: str, dtype: torch.dtype) -> None:
    g = torch.Generator().manual_seed(0)
    limit = TOLERANCES[dtype]
    for shape in [(7, 1500), (900, 5), (2, 20_000)]:
        usual = torch.randn(shape, generator=g, dtype=torch.float64) * 20
        for rare in [6e4, 3e30, torch.nan]:
            x = usual.clone()
            x.view(-1)[3], x.view(-1)[-2] = rare, -rare
            x = x.to(dtype)
            for reduces in [False, True]:
                found = one_input(kernel_of(op, dtype, reduces), x)
                true = expected(op, x, reduces)
                torch.testing.assert_close(found, true, rtol=limit, atol=limit, equal_nan=True)


def test_kernels_without_such_operations_are_printed_once() -> None:
    usual = print_c(kernel_of("exp", torch.float32, False), FLAT, "kernel")
    both = print_c(kernel_of("sin", torch.float32, False), FLAT, "kernel")
    assert "kernel_all" not in usual
    assert both.count("mts_any_sin_f32(v0)") == both.count("mts_rare_sin_f32(v0)") == 1


def test_each_such_operation_has_its_functions() -> None:
    functions = set(c_functions())
    for name in WITH_RARE_OPERANDS:
        assert SCALAR_OPS[name].c["f"].startswith(f"mts_{name}_{{T}}(")
        for dtype in ("f32", "f64"):
            assert {f"mts_{kind}{name}_{dtype}" for kind in ("", "rare_", "any_")} <= functions
