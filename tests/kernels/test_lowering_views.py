"""Views of inputs, and of what is computed, become other ways to read the inputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from minits.kernels.lowering import NotFusable
from tests.kernels.lowered import HEADER, check, graph_of, lower_for, programs, run
from tests.support.control_flow import load

SIGNATURE = "x: Tensor, y: Tensor, v: Tensor, n: int"
"""Tensors of shapes [4, 6, 8], [4, 6, 8] and [8]."""

VIEWS = [
    "x.unsqueeze(0) * 2", "x.unsqueeze(-1) * 2", "x[:, :1].squeeze(1) + v", "x[:1].squeeze() * 2",
    "x.squeeze() * 2", "x[:, :1].squeeze([0, 1]) * 2", "v.expand(6, 8) * x",
    "v.expand(4, -1, 8) + x",
    "v.expand_as(x) * x", "x.permute(2, 0, 1) * 3", "x.permute(-1, 0, 1) * y.permute(2, 0, 1)",
    "x.transpose(1, 2) * y.transpose(-1, -2)", "x[0].t() + y[1].t()", "v.t() * 2",
    "x[0].T * 2", "x.mT + y.mT", "x.movedim(0, 2) * 2", "x.movedim([0, 1], [1, 2]) * 2",
    "x[1:3] * y[:2]", "x[:, 1:] * y[:, :-1]", "x[..., ::2] + y[..., 1::2]", "x[:, -2:] * 2",
    "x[1] * v", "x[:, -1] + v", "x[..., 3] * y[..., 0]", "x.select(1, 2) * 2",
    "x[None, 1, :, None] * 2",
    "x.narrow(1, 2, 3) * v", "x.flatten() * y.flatten()", "x.flatten(1) * 2", "x.flatten(0, 1) * v",
    "x.unflatten(2, (2, 4)) * 2", "x.view(4, 48) * y.reshape(4, 48)", "x.view(-1, 8) + v",
    "x.reshape(4, 6, 2, 4) * 2", "x.chunk(2, dim=-1)[0] * x.chunk(2, -1)[1]",
    "x.chunk(3, 1)[2] * 2",
    "x.split(3, 1)[1] * 2", "x.split([1, 5], dim=1)[1] * v", "x.unbind(0)[3] * 2",
    "v.unbind()[2] * x",
    "torch.tensor_split(x, 4, 1)[0] * 2", "x.detach() + y", "x.contiguous() + y",
]  # fmt: skip
COMPUTED = [
    "(x + v).transpose(1, 2) * 2", "(x + v)[:, 1:] * y[:, 1:]", "(x * v).select(2, 3) * 2",
    "(x * v).select(1, 3) + v", "(x + y).view(-1, 8) * v", "(x * 2).flatten(1) * 3",
    "(x + v).flatten(0, 1) * 2", "(x * v[0]).flatten() * 2", "(x + v).unflatten(1, (2, 3)) * 2",
    "(x * x[:, :1]).chunk(2, 1)[1] * 2", "(x * v).unbind(1)[2] * v",
    "(x + v[:1]).split(4, 2)[1] * 2",
    "(x * v).permute(2, 0, 1) + (y * 2).permute(2, 0, 1)", "(x + y).detach() * 2",
    "(x > 0).unsqueeze(0) & (y > 0)", "(x * y).contiguous() * 2",
    "(x + v).unsqueeze(1).squeeze(1) * 2",
    "(x.sum(-1, keepdim=True) * y).exp()", "x.sum(-1).unsqueeze(-1) + y",
    "(v * 2).expand(4, 6, 8) + x",
    "(x.mean(-1) * 2)[..., None] * x", "torch.where(x > 0, x, v).mT * 2",
]  # fmt: skip
PROGRAMS = f"""
def lstm({SIGNATURE}):
    i, f, g, o = x.chunk(4, dim=2)
    c = torch.sigmoid(f) * y[:, :, :2] + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def halves({SIGNATURE}):
    first, second = torch.split(x, 4, -1)
    return first * v[:4] - second, second * v[4:] + first


def rows({SIGNATURE}):
    a, b, c, d = x.unbind(0)
    return a * b + c * d
"""


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return programs(tmp_path_factory.mktemp("views"), SIGNATURE, [*VIEWS, *COMPUTED, *REFUSED])


REFUSED = {
    "x.permute(1, 0, 2).contiguous() * 2": "view",
    "x.permute(1, 0, 2).reshape(24, 8) * 2": "view",
    "(x + v).view(4, 48) * 2": "view",
    "x.permute(1, 0, 2)": "view",
    "x.transpose(0, 1).flatten() + 1": "view",
    "x.view(n, -1) * 2": "not-constant",
}


def arguments() -> list[Any]:
    generator = torch.Generator().manual_seed(0)
    shapes = [(4, 6, 8), (4, 6, 8), (8,)]
    return [*[torch.randn(shape, generator=generator) for shape in shapes], 4]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("expression", [*VIEWS, *COMPUTED])
def test_views(functions: dict[str, Any], expression: str) -> None:
    check(functions[expression], arguments())


@pytest.mark.parametrize("name", ["lstm", "halves", "rows"])
def test_lists_of_views(name: str, tmp_path: Path) -> None:
    path = tmp_path / "lists_of_views.py"
    path.write_text(HEADER + PROGRAMS)
    check(getattr(load(path), name), arguments())


@pytest.mark.parametrize("expression", REFUSED)
def test_refusals(functions: dict[str, Any], expression: str) -> None:
    with pytest.raises(NotFusable) as refusal:
        lower_for(graph_of(functions[expression]), arguments())
    assert refusal.value.code == REFUSED[expression]


def test_views_compute_nothing(functions: dict[str, Any]) -> None:
    lowered = lower_for(graph_of(functions["x.permute(2, 0, 1) * 3"]), arguments())
    assert [value.op for value in lowered.kernel.values] == ["load", "constant", "mul"]


def test_other_sizes(functions: dict[str, Any]) -> None:
    """A kernel is right for other sizes, and says where it is not."""
    function = functions["x.chunk(2, dim=-1)[0] * x.chunk(2, -1)[1]"]
    lowered = lower_for(graph_of(function), arguments())
    other = [torch.randn(5, 3, 12), torch.randn(()), torch.randn(()), 4]
    torch.testing.assert_close(run(lowered, other)[0], function(*other))
    with pytest.raises(RuntimeError):
        run(lowered, [torch.randn(5, 3, 1), *other[1:]])
    with pytest.raises(RuntimeError):
        run(lowered, [torch.randn(5, 3, 2), *other[1:]])
