"""Complex tensors are read as real ones: through their parts."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from tests.kernels.lowered import programs

EXPRESSIONS = [
    "z.real * 2 + z.imag.sin()", "z.abs().pow(2).log1p() + z.angle()",
    "torch.view_as_real(z).pow(2).sum(-1).sqrt() + 1", "(z.transpose(0, 1).real * w).sum(-1)",
    "z[1:].imag * 2 + z[:-1].real", "torch.abs(z.t()) * w", "torch.angle(z.t()) * 2",
    "torch.view_as_real(z) * 2 + 1", "torch.view_as_real(z.t()).transpose(0, 1) * 2 + 1",
]  # fmt: skip


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return programs(tmp_path_factory.mktemp("complex"), "z: Tensor, w: Tensor", EXPRESSIONS)


def complex_tensors(dtype: torch.dtype) -> list[Tensor]:
    """Tensors of [6, 8] that lie in memory in several ways, and one that is empty."""
    generator = torch.Generator().manual_seed(0)
    z = torch.randn((13, 16), generator=generator, dtype=dtype)
    return [z[:6, :8].contiguous(), z[:6, :8], z[1::2, 1::2], z.t()[1:7, 2:10], z[:6, :0]]


@pytest.mark.one_in(6, over="dtype")
@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
def test_parts_are_read(functions: dict[str, Any], expression: str, dtype: torch.dtype) -> None:
    function, script = functions[expression], minits.script(functions[expression])
    for z in complex_tensors(dtype):
        w = torch.ones(z.shape[::-1])
        assert any(remark.code == "fused" for remark in script.remarks(z, w))
        found, wanted = script(z, w), function(z, w)
        torch.testing.assert_close(found, wanted, check_stride=found.numel() > 0)
        said = [remark.message for remark in script.remarks(z, w)]
        assert not [message for message in said if "runs operator by operator" in message]


@pytest.mark.parametrize("expression", [each for each in EXPRESSIONS if "view_as" not in each])
def test_conjugates_are_not_read_as_what_they_are_of(
    functions: dict[str, Any], expression: str
) -> None:
    function, script = functions[expression], minits.script(functions[expression])
    z, w = complex_tensors(torch.complex64)[0], torch.ones(8, 6)
    for given in (z, z.conj(), z, z.conj()):
        torch.testing.assert_close(script(given, w), function(given, w))


def test_gradients_run_operator_by_operator(functions: dict[str, Any]) -> None:
    function = functions[EXPRESSIONS[0]]
    script = minits.script(function)
    z, w = complex_tensors(torch.complex64)[0].requires_grad_(), torch.ones(8, 6)
    (found,) = torch.autograd.grad(script(z, w).sum(), z)
    (wanted,) = torch.autograd.grad(function(z, w).sum(), z)
    torch.testing.assert_close(found, wanted)
