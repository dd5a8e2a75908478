"""What is the same in all calls of a plan: constant tensors, which kernels read, and dtypes."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits


class Gated(nn.Module):
    """Elementwise operators with weights; freezing makes constants of them."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(8)
        self.scale = nn.Parameter(torch.linspace(-1, 2, 8))
        self.register_buffer("shift", torch.linspace(0, 1, 3)[:, None])

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.norm(x) * self.scale + self.shift)


def missed(script: Any, *arguments: Any) -> list[str]:
    return [remark.message for remark in script.remarks(*arguments) if remark.kind == "missed"]


def called_often(script: Any, *arguments: Any) -> list[Any]:
    return [script(*arguments) for _ in range(4)]


def test_kernels_read_frozen_weights() -> None:
    net = Gated().eval()
    frozen = minits.freeze(minits.script(net))
    x = torch.linspace(-3, 3, 24).view(3, 8)
    with torch.no_grad():
        for result in called_often(frozen, x):
            torch.testing.assert_close(result, net(x))
        assert missed(frozen, x) == []
        (group,) = [n for n in frozen.graph_for(x).nodes if n.kind == "prim::FusionGroup"]
    assert sum(value.node.kind == "prim::Constant" for value in group.inputs) == 4


def test_gradients_beside_frozen_weights() -> None:
    net = Gated().eval()
    frozen = minits.freeze(minits.script(net))
    for function in (net, frozen, frozen, frozen):
        x = torch.linspace(-3, 3, 24).view(3, 8).requires_grad_()
        function(x).square().sum().backward()
        if function is net:
            wanted = x.grad
        torch.testing.assert_close(x.grad, wanted)


def test_constants_that_no_kernel_reads_are_left_to_torch() -> None:
    class Doubled(nn.Module):
        def __init__(self, weight: Tensor) -> None:
            super().__init__()
            self.register_buffer("weight", weight)

        def forward(self, x: Tensor) -> Tensor:
            return (x + self.weight) * 2

    x = torch.linspace(-1, 1, 6).view(2, 3)
    for weight in (
        torch.ones(3, dtype=torch.cfloat),
        torch.eye(3)[:2].to_sparse(),
        torch.ones(2, 0),
    ):
        net = Doubled(weight).eval()
        frozen = minits.freeze(minits.script(net))
        try:
            wanted = net(x)
        except RuntimeError:
            for _ in range(3):
                with pytest.raises(RuntimeError):
                    frozen(x)
            continue
        for result in called_often(frozen, x):
            torch.testing.assert_close(result, wanted)


def cast_to_the_other(x: Tensor, y: Tensor) -> Tensor:
    return torch.softmax(x * 2, -1, dtype=torch.float32).to(y.dtype) * y + 1


def decided_by_a_dtype(x: Tensor, y: Tensor) -> Tensor:
    if x.dtype == torch.float16:
        return x.float() * y * 3
    return x * y + 1


def mask_of_a_dtype(x: Tensor, y: Tensor) -> Tensor:
    return x * y + torch.ones([3], dtype=x.dtype, device=x.device)


@pytest.mark.parametrize("program", [cast_to_the_other, decided_by_a_dtype, mask_of_a_dtype])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16])
def test_dtypes_of_arguments_are_settled(program: Any, dtype: torch.dtype) -> None:
    script = minits.script(program)
    x, y = torch.linspace(-1, 2, 6).view(2, 3).to(dtype), torch.ones(2, 3, dtype=dtype) * 3
    assert missed(script, x, y) == []
    graph = script.graph_for(x, y)
    assert "prim::dtype" not in str(graph) and "prim::If" not in str(graph)
    for other in (x, x.double(), x):
        for result in called_often(script, other, y):
            wanted = program(other, y)
            assert result.dtype == wanted.dtype
            torch.testing.assert_close(result, wanted)
