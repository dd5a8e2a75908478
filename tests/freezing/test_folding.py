"""Weights that take in what comes after them: the numbers, and what is left alone."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

import minits
from minits.ir.graph import Graph
from minits.passes.freezing import weights
from minits.passes.freezing.concat_linear import concatenate_linears
from minits.passes.instrumentation import PassPrinter, instrumented
from minits.runtime.interpreter import run

IMAGES = torch.linspace(-2, 3, 3 * 3 * 36, dtype=torch.float64).view(3, 3, 6, 6)


def randomized(norm: Any) -> Any:
    nn.init.uniform_(norm.running_mean, -1, 1)
    nn.init.uniform_(norm.running_var, 0.5, 2)
    if norm.affine:
        nn.init.uniform_(norm.weight, 0.5, 2)
        nn.init.uniform_(norm.bias, -1, 1)
    return norm


def frozen(net: nn.Module, **options: Any) -> Any:
    with instrumented(PassPrinter(verify_each=True)):
        return minits.freeze(minits.script(net.eval()), **options)


def kinds(module: Any) -> set[str]:
    return {node.kind.removeprefix("aten::") for node in module.graph.all_nodes()}


@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("groups", [1, 3])
def test_convolution_and_batch_norm(affine: bool, bias: bool, groups: int) -> None:
    torch.manual_seed(0)
    conv = nn.Conv2d(3, 6, 3, bias=bias, groups=groups, stride=2, padding=1)
    net = nn.Sequential(conv, randomized(nn.BatchNorm2d(6, affine=affine))).double().eval()
    module = frozen(net)
    assert "batch_norm" not in kinds(module)
    torch.testing.assert_close(module(IMAGES), net(IMAGES))


@pytest.mark.parametrize(
    "text",
    [
        "conv(x) + 2", "conv(x) - 0.5", "conv(x) * 3", "conv(x) / 4", "conv(x) + self.column",
        "conv(x) * self.column", "conv(x) / self.one", "conv(x) - self.one",
        "torch.add(conv(x), self.column, alpha=3)", "torch.sub(conv(x), 2, alpha=3)",
        "(conv(x) * 2 + 1) / 3 - self.column",
    ],
)  # fmt: skip
@pytest.mark.parametrize("bias", [True, False])
def test_convolution_and_arithmetic(text: str, bias: bool) -> None:
    net = Arithmetic(bias).double().eval()
    module = frozen(compiled(net, text))
    assert kinds(module) & {"add", "sub", "mul", "div"} == set()
    expected = eval(text, {"torch": torch, "conv": net.conv, "x": IMAGES, "self": net})
    torch.testing.assert_close(module(IMAGES), expected)


@pytest.mark.parametrize(
    "text",
    [
        "conv(x) + self.wide", "2 / conv(x)", "conv(x) * x.sum()",
        "torch.div(conv(x), 3, rounding_mode='floor')", "conv(x).relu() + 1",
    ],
)  # fmt: skip
def test_other_arithmetic_is_left_alone(text: str) -> None:
    net = Arithmetic(True).double().eval()
    module = frozen(compiled(net, text))
    assert kinds(module) & {"add", "div", "mul", "reciprocal"}
    expected = eval(text, {"torch": torch, "conv": net.conv, "x": IMAGES, "self": net})
    torch.testing.assert_close(module(IMAGES), expected)


class Arithmetic(nn.Module):
    def __init__(self, bias: bool) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, bias=bias)
        self.register_buffer("column", torch.linspace(1, 2, 4).view(4, 1, 1)[None])
        self.register_buffer("one", torch.tensor([2.0]))
        self.register_buffer("wide", torch.linspace(1, 2, 4).view(1, 4))


def compiled(net: nn.Module, text: str) -> nn.Module:
    """Return a module like `net` whose forward returns an expression."""
    made: dict[str, Any] = {}
    source = f"def forward(self, x):\n    return {text.replace('conv(', 'self.conv(')}\n"
    import linecache

    name = f"<{text}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    exec(compile(source, name, "exec"), {"torch": torch}, made)
    cls = type("Arithmetic", (type(net),), {"forward": made["forward"]})
    net.__class__ = cls
    return net


@pytest.mark.parametrize("features", [4, 1])
def test_linear_and_batch_norm(features: int) -> None:
    net = nn.Sequential(nn.Linear(3, 4), randomized(nn.BatchNorm1d(features))).eval()
    x = torch.randn(5, 3) if features == 4 else torch.randn(5, 1, 3)
    module = frozen(net)
    assert "batch_norm" not in kinds(module)
    torch.testing.assert_close(module(x), net(x))


def test_a_linear_layer_that_others_read_is_left_alone() -> None:
    class Read(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = nn.Linear(3, 4)
            self.norm = randomized(nn.BatchNorm1d(4))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = self.linear(x)
            return self.norm(y) + y

    net, x = Read().eval(), torch.randn(5, 3)
    module = frozen(net)
    assert "batch_norm" in kinds(module)
    torch.testing.assert_close(module(x), net(x))


def test_features_of_another_number_are_left_alone() -> None:
    net = nn.Sequential(nn.Linear(3, 4), randomized(nn.BatchNorm1d(2))).eval()
    x = torch.randn(5, 2, 3)
    torch.testing.assert_close(frozen(net)(x), net(x))


def test_a_batch_norm_of_images_is_left_alone() -> None:
    net = nn.Sequential(nn.Linear(4, 4), randomized(nn.BatchNorm2d(4))).eval()
    x = torch.randn(5, 4, 2, 4)
    module = frozen(net)
    assert "batch_norm" in kinds(module)
    torch.testing.assert_close(module(x), net(x))


def test_a_batch_norm_that_is_trained_is_left_alone() -> None:
    net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)).eval()
    compiled_net = minits.script(net)
    compiled_net.get_submodule("1").train()
    module = minits.freeze(compiled_net)
    assert "batch_norm" in kinds(module)


def test_a_mask_that_is_multiplied_by_one_becomes_numbers() -> None:
    class Masked(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.neg((x > 0) * 1)

    assert frozen(Masked())(torch.ones(2)).tolist() == [-1, -1]


class Heads(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.query, self.key = nn.Linear(4, 3), nn.Linear(4, 5)
        self.plain = nn.Linear(4, 2, bias=False)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        return self.query(x).exp(), self.key(x).exp(), self.plain(x).exp()


def test_linears_of_one_input_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pass asks where the weights are; the rest of it runs anywhere."""
    net, x = Heads().eval(), torch.randn(2, 4)
    module = frozen(net)
    assert str(module.graph).count("aten::linear") == 3
    monkeypatch.setattr("minits.passes.freezing.concat_linear.is_on_gpu", lambda _: True)
    graph: Graph = module.graph
    assert concatenate_linears(graph)
    assert str(graph).count("aten::linear") == 2
    torch.testing.assert_close(run(graph, module, x), net(x))


def test_replaced_constants_are_named_after_the_old_ones() -> None:
    net = nn.Sequential(nn.Conv2d(3, 4, 3), randomized(nn.BatchNorm2d(4)))
    text = str(frozen(net).graph)
    assert "%self.0.weight_fused_bn : " in text
    assert "%self.0.bias_fused_bn : " in text
    assert weights.WEIGHT == 1
