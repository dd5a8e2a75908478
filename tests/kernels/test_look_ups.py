"""Look-ups and index maps: against eager on tensors of all kinds, their checks, their gradients."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from conformance.fusion.sweep import _reason
from tests.kernels.lowered import check, programs
from tests.support.cuda_emulator import emulated

SIGNATURE = "x: Tensor, i: Tensor"


def floats(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(0))


def below(most: int, *shape: int, least: int = 0) -> Tensor:
    return torch.randint(least, most, shape, generator=torch.Generator().manual_seed(0))


X, W, IMAGE, NOTHING = floats(4, 6), floats(7, 5), floats(2, 3, 4, 5), torch.empty(0)
LAST = IMAGE.to(memory_format=torch.channels_last)
ROWS, FEW = below(4, 3), below(2, 3)

CASES: dict[str, list[tuple[Tensor, Tensor]]] = {
    "F.embedding(i, x) * 2 + 1": [(W, below(7, 2, 3)), (W.double(), below(7, 2, 0).int())],
    "F.layer_norm(F.embedding(i, x) * 2.0, [5])": [(W, below(7, 2, 3)), (W.half(), below(7, 4))],
    "F.embedding(i, x).unsqueeze(1).mT * 2 + 1": [(W, below(7, 2, 3))],
    "x.index_select(0, i).sin() * 2": [(X, ROWS), (X.t(), ROWS), (X.bfloat16(), ROWS)],
    "torch.softmax(x.index_select(-1, i) * 2, -1)": [(X, ROWS), (X.t(), ROWS)],
    "x.index_select(1, i)[..., 0] * 2 + 1": [(X, ROWS), (IMAGE, FEW)],
    "torch.gather(x, 0, i).exp() + 1": [(X, below(4, 2, 6)), (X.t(), below(6, 3, 4))],
    "torch.gather(x, 1, i).exp().sum(-1)": [(X, below(6, 4, 3))],
    "torch.gather(x, 1, i.unsqueeze(-1)).squeeze(1) * 2 - 1": [(X, below(6, 4))],
    "torch.take_along_dim(x, i, 1) * 2 + 1": [(X, below(6, 1, 3)), (X, below(6, 4, 3))],
    "torch.take(x, i) * 2 + 1": [(X, below(24, 2, 3, least=-24))],
    "x[i] * 2 + 1": [(X, below(4, 2, 3, least=-4)), (X.t(), ROWS), (IMAGE, FEW), (X > 0, ROWS)],
    "x[:, i] * 2 + 1": [(X, below(4, 2, 3, least=-4)), (LAST, FEW)],
    "x[:, i, i] * 2 + 1": [(IMAGE, FEW), (LAST, FEW)],
    "x[:, i[:, None], i].sum(-1) * 2 + 1": [(IMAGE, FEW)],
    "torch.flip(x, [0, -1]) * 2 + 1": [(X, X), (X.t(), X), (LAST, X), (X[:1], X), (X.int(), X)],
    "x.fliplr() * 2 + x.flipud()": [(X, X), (IMAGE, X)],
    "torch.roll(x, 2, 0) * 2 + 1": [(X, X), (X.t(), X), (X[:0], X)],
    "torch.roll(x, [-2, 3], [1, 2]) * 2 + 1": [(IMAGE, X), (LAST, X)],
    "torch.roll(x, [-4, 10], [1, 2]) * 2 + 1": [(IMAGE, X), (LAST, X)],
    "torch.roll(x, [3], [1]) * 2 + 1": [(IMAGE, X), (LAST, X)],
    "torch.roll(x, [-9, 13], [-1, 0]).sum(-1) * 2": [(IMAGE, X), (X, X)],
    "torch.tril(x) * 2 + i": [(X, X), (X.t(), X.t()), (IMAGE, IMAGE), (X > 0, X), (X[:1], X)],
    "torch.triu(x, 1).sum(-1) * 2": [(X, X), (IMAGE, X)],
    "torch.softmax(i.masked_fill(torch.triu(x, 1) > 0, -1e9), -1)": [
        (torch.ones(5, 5), floats(2, 3, 5, 5))
    ],
    "F.pad(x, [1, 2]) * 2 + 1": [(X, X), (X.int(), X), (X.t(), X), (LAST, X)],
    "F.pad(x, [1, -2, 3, 0], value=1.5) * 2 + 1": [(X, X), (IMAGE, X), (LAST, X)],
    "F.pad(x, [0, 0, 1, 0]).sum(-1) * 2": [(X, X), (IMAGE, X)],
    "x.repeat(2, 1, 1) * 2 + 1": [(X[:1], X), (X[:, :1], X), (X, X)],
    "torch.tile(x, [2, 1]) * 2 + 1": [(X, X), (X[:1], X)],
    "x.repeat(1, 3) * 2 + i": [(X[:, :1], X[:, :3])],
    "F.one_hot(x, 5).float() * 2": [(below(5, 2, 3), X), (below(5), X)],
}
"""Programs, and what each is called with."""


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return programs(tmp_path_factory.mktemp("programs"), SIGNATURE, list(CASES))


@pytest.mark.one_in(16)
@pytest.mark.parametrize("text", CASES)
def test_against_eager(text: str, functions: dict[str, Any]) -> None:
    function = functions[text]
    compiled = minits.script(function)
    for arguments in CASES[text]:
        if 0 not in arguments[0].shape:
            check(function, arguments)
        plan = compiled.plan_for(*arguments)
        assert _reason(plan.graph, plan.remarks) is None
        compare(compiled(*arguments), function(*arguments))


@pytest.mark.one_in(2)
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
@pytest.mark.parametrize("text", list(CASES)[::4])
def test_kernels_of_a_gpu(
    text: str, functions: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    arguments = CASES[text][0]
    with emulated(monkeypatch, tmp_path) as texts:
        compare(minits.script(functions[text])(*arguments), functions[text](*arguments))
    assert texts


def compare(mine: Tensor, eager: Tensor) -> None:
    assert mine.dtype == eager.dtype and mine.stride() == eager.stride()
    torch.testing.assert_close(mine, eager, rtol=2e-3 if eager.dtype == torch.half else 1e-5,
                               atol=1e-2 if eager.dtype.itemsize == 2 else 1e-5)  # fmt: skip


# ---- Checks --------------------------------------------------------------------------------------


def rows_of(x: Tensor, i: Tensor):
    return torch.nn.functional.embedding(i, x) * 2 + 1


def selected(x: Tensor, i: Tensor):
    return (x.index_select(1, i) * 2).sum(-1)


def indexed(x: Tensor, i: Tensor):
    return x[i] * 2 + 1


def classes(x: Tensor, i: Tensor):
    return torch.nn.functional.one_hot(i, 4) * 2 + 1


@pytest.mark.parametrize("function", [rows_of, selected, indexed, classes])
@pytest.mark.parametrize("wrong", [4, -1, -5, 1 << 40])
def test_an_index_that_is_none_raises_as_in_eager(function: Any, wrong: int) -> None:
    compiled = minits.script(function)
    x, right, other = floats(4, 4), torch.tensor([0, 3, 1]), torch.tensor([0, wrong, 1])
    compare(compiled(x, right), function(x, right))
    try:
        eager = function(x, other)
    except (IndexError, RuntimeError) as fault:
        with pytest.raises(RuntimeError) as raised:  # as torch.jit, whatever eager's is
            compiled(x, other)
        assert str(fault).splitlines()[0] in str(raised.value)
    else:
        compare(compiled(x, other), eager)
    compare(compiled(x, right), function(x, right))


def test_nothing_to_look_up_raises_as_in_eager() -> None:
    compiled = minits.script(rows_of)
    with pytest.raises(RuntimeError, match="index"):
        compiled(torch.empty(0, 4), torch.tensor([0, 1]))
    assert compiled(torch.empty(0, 4), torch.empty(0, dtype=torch.int64)).shape == (0, 4)


# ---- Gradients -----------------------------------------------------------------------------------

DIFFERENTIATED = [
    "(F.embedding(i, w) * y).sin() * 2",
    "F.layer_norm(F.embedding(i, w) * y, [5])",
    "(y * torch.tril(y)).sin() + 1.0",
    "torch.softmax(torch.flip(y, [1]) * y, -1) * w[i]",
    "F.pad(y.sin() * 2, [1, 1]).exp() * 2",
    "torch.roll(w, 1, 0).exp() * 2 + w[i].sum()",
    "torch.gather(y, 1, i.unsqueeze(-1) % 2) * y[:, :, :1] * w[0, 0]",
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("text", DIFFERENTIATED)
def test_gradients(text: str, tmp_path: Path) -> None:
    """Of what is looked up in, of what else is read, and of neither; then none at all again."""
    (function,) = programs(tmp_path, "y: Tensor, w: Tensor, i: Tensor", [text]).values()
    compiled = minits.script(function)
    for needs in ((True, False), (False, True), (True, True), (False, False)):
        given = [x.clone().requires_grad_(need) for x, need in zip((floats(2, 3, 5), W), needs,
                                                                   strict=True)]  # fmt: skip
        eager = with_gradients(function, given)
        for _ in range(2):
            found = with_gradients(compiled, given)
            torch.testing.assert_close(found, eager, rtol=1e-4, atol=1e-4)
            with torch.no_grad():
                torch.testing.assert_close(compiled(*given, below(7, 2, 3)), eager[0].detach())


def with_gradients(function: Any, given: list[Tensor]) -> list[Any]:
    result = function(*given, below(7, 2, 3))
    wanted = [x for x in given if x.requires_grad]
    if not result.requires_grad:
        return [result]
    return [result, *torch.autograd.grad(result.square().sum(), wanted, allow_unused=True)]


def test_what_is_not_looked_up_stays_fused_in_training() -> None:
    """The embedding runs by itself where its weight is trained, the rest in one kernel."""

    def model(weight: Tensor, i: Tensor, x: Tensor):
        return torch.tanh(torch.nn.functional.embedding(i, weight) * x) + x

    compiled = minits.script(model)
    weight = W.clone().requires_grad_()
    compiled(weight, below(7, 2, 3), floats(2, 3, 5))
    with torch.profiler.profile() as profile:
        compiled(weight, below(7, 2, 3), floats(2, 3, 5))
    called = {event.key for event in profile.key_averages()}
    assert "aten::embedding" in called
    assert not called & {"aten::tanh", "aten::mul", "aten::add"}
