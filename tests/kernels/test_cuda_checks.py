"""What eager's kernels assert on a device, fused ones assert too; numbers are checked before.

The CPU runs the texts; NVRTC compiles them as well.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

import minits
from minits.kernels.cuda import nvrtc
from minits.kernels.cuda.checks import HostChecks, is_of_numbers
from minits.kernels.fused_kernel import FusedKernel
from tests.kernels.lowered import graph_of, lower_for
from tests.support.cuda_emulator import emulated

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """The texts that have been run, and what launches them."""
    with emulated(monkeypatch, tmp_path) as found:
        yield found


def cross_entropies(x: Tensor, t: Tensor) -> Tensor:
    return F.binary_cross_entropy(x * 0.5, t, reduction="none") + 1.0


def mean_cross_entropy(x: Tensor, t: Tensor) -> Tensor:
    return F.binary_cross_entropy(x * 0.5, t)


def row_cross_entropies(x: Tensor, t: Tensor) -> Tensor:
    return F.binary_cross_entropy(x * 0.5, t, reduction="none").sum(-1) * 2.0


def picked(x: Tensor, i: Tensor) -> Tensor:
    return x.gather(1, i) * 2.0 + 1.0


def embedded(i: Tensor, weight: Tensor) -> Tensor:
    return F.embedding(i, weight) * 2.0 + 1.0


def hot(i: Tensor, x: Tensor) -> Tensor:
    return F.one_hot(i, 7) * x + 1.0


def chosen(x: Tensor, i: Tensor) -> Tensor:
    return F.nll_loss(torch.log_softmax(x * 2.0, -1), i[:, 0], reduction="none")


def fractions(shape: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    return torch.rand(shape), torch.rand(shape)


def indices(shape: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    return torch.randn(shape), torch.randint(shape[1], shape)


PROGRAMS: list[tuple[Callable[..., Tensor], Callable[..., tuple[Tensor, Tensor]], int, Any]] = [
    (cross_entropies, fractions, 0, 3.0),
    (cross_entropies, fractions, 1, -0.5),
    (mean_cross_entropy, fractions, 1, 1.5),
    (row_cross_entropies, fractions, 0, float("nan")),
    (picked, indices, 1, 70),
    (picked, indices, 1, -1),
    (embedded, lambda shape: (torch.randint(9, shape), torch.randn(9, 5)), 0, 9),
    (hot, lambda shape: (torch.randint(7, shape), torch.randn(*shape, 7)), 0, 7),
    (chosen, indices, 1, 70),
]
"""A program, its arguments, and of which of them which element is refused."""


@pytest.mark.one_in(7, over="shape")
@pytest.mark.parametrize("shape", [(3, 5), (33, 65)])
@pytest.mark.parametrize("row", PROGRAMS, ids=lambda row: f"{row[0].__name__}, {row[2]}: {row[3]}")
def test_elements_are_asserted(row: Any, shape: tuple[int, int], texts: dict[str, Any]) -> None:
    program, arguments, wrong, element = row
    torch.manual_seed(0)
    given = arguments(shape)
    kernel = FusedKernel(lower_for(graph_of(program), given))
    torch.testing.assert_close(kernel(*given)[0], program(*given))
    assert any("must(" in text for text in texts)
    for place in [(0, 0), (shape[0] - 1, 0)]:
        refused = given[wrong].clone()
        refused[place] = element
        with pytest.raises(RuntimeError, match="device-side assert"):
            kernel(*[refused if n == wrong else each for n, each in enumerate(given)])
    torch.testing.assert_close(kernel(*given)[0], program(*given))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_nvrtc_knows_what_is_called(installed: None, arch: str, texts: dict[str, Any]) -> None:
    for program, arguments in {row[0]: row[1] for row in PROGRAMS}.items():
        given = arguments((3, 5))
        FusedKernel(lower_for(graph_of(program), given))(*given)
    assert len(texts) >= len({row[0] for row in PROGRAMS})
    for text in texts:
        assert b"__assertfail" in nvrtc.compile_cubin(text, arch)


def between(x: Tensor, low: float, high: float) -> Tensor:
    return torch.rrelu(x * 2.0, low, high, False)


def spread(x: Tensor) -> Tensor:
    return torch.var(x * 2.0, dim=-1, correction=3) + 1.0


def test_numbers_are_checked_on_the_host(texts: dict[str, Any]) -> None:
    x = torch.randn(3, 5)
    script = minits.script(between)
    torch.testing.assert_close(script(x, 0.1, 0.3), between(x, 0.1, 0.3))
    assert texts
    assert not any("must(" in text for text in texts)
    for numbers in [(0.4, 0.3), (0.1, float("nan")), (-3e38, 3.2e38 * 10)]:
        with pytest.raises(RuntimeError) as eager:
            between(x, *numbers)
        with pytest.raises(RuntimeError) as mine:
            script(x, *numbers)
        assert str(mine.value).endswith(str(eager.value))


def test_sizes_are_checked_on_the_host(texts: dict[str, Any]) -> None:
    script = minits.script(spread)
    for columns in (5, 4):
        x = torch.randn(3, columns)
        torch.testing.assert_close(script(x), spread(x))
    with pytest.warns(UserWarning, match="degrees of freedom"):
        script(torch.randn(3, 3))


def test_what_the_host_knows() -> None:
    lowered = lower_for(graph_of(between), [torch.randn(3, 5), 0.1, 0.3])
    conditions = [v.operands[1] for v in lowered.kernel.values if v.op == "checked"]
    assert conditions
    assert all(map(is_of_numbers, conditions))
    checks = HostChecks(lowered.kernel, lowered.parameters, 1)
    found = [
        [bool(eval(text, {**checks.namespace, "i1": low, "i2": high})) for text in checks.texts]
        for low, high in ((0.1, 0.3), (0.3, 0.1))
    ]
    assert all(found[0])
    assert not all(found[1])
