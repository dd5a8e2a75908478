"""Plans that are C at once, called with tensors without memory, of subclasses, or that warn.

The histories are those that `conformance fuzz --calls` has found.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from conformance.fuzz.calls.check import check
from conformance.fuzz.calls.history import Backward, Call, History
from conformance.fuzz.calls.tensors import T
from tests.support.native_loops import compiled
from tests.support.needs import need_c_interface

need_c_interface()

READS = """\
def program(a: Tensor, n: int = 2) -> Tensor:
    v = a.detach().abs() * 2
    for i in range(n):
        v[i] = float(a[i, 0]) + float(bool(a[0, i])) + int(a[i, i])
    return v
"""
ADDS = """\
def program(a: Tensor, n: int = 3) -> Tensor:
    return torch.zeros(n) * 2 + torch.arange(n) + torch.tensor(0.5) + a.sum().tanh()
"""
MAKES = """\
def program(a: Tensor) -> Tensor:
    return a + torch.full([3], 0.5)
"""
SAME = """\
def program(a: Tensor, b: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    v = torch.softmax(b, -1)
    v.view(-1).mul_(3)
    w = v / (a.abs() + 1)
    return w.contiguous(), a.cos(), w
"""
SCALES = """\
def program(a: Tensor, s: float = 0.5) -> Tensor:
    v = torch.tanh(a) * s
    return v * 2
"""

WRITES = """\
def program(a: Tensor, b: Tensor) -> Tensor:
    a.transpose(-1, -2).add_(1)
    return torch.flip(b, [-1]) * -1.5
"""
SUMS = """\
def program(a: Tensor, b: Tensor) -> Tensor:
    a.add_(b).sub_(b, alpha=2)
    return a * 2
"""
SIZES = """\
def program(a: Tensor) -> Tuple[Tensor, Tensor]:
    v = a + a
    return v, a.view(a.shape)
"""
STRIDES = """\
def program(a: Tensor, n: int = 0) -> Tuple[int, int]:
    return a.stride(n), len(a.stride())
"""
JOINS = """\
def program(a: Tensor, b: Tensor) -> Tensor:
    return torch.cat([a, b, a], -1) + 1
"""


def call(values: dict[str, Any], **more: Any) -> Call:
    return Call(args=tuple(values.items()), positional=len(values), **more)


HISTORIES = {
    "elements of a tensor without memory": (
        READS,
        call({"a": T(shape=(3, 3), kind="meta")}),
        call({"a": T(shape=(3, 3))}),
    ),
    "a subclass, and plans that are stored": (
        ADDS,
        call({"a": T(shape=(4, 3), kind="subclass")}),
        call({"a": T(shape=(4, 3), kind="quantized"), "n": 2}),
        call({"a": T(grad=True)}, backward="last of last, first changed"),
        Backward(2, how="first"),
    ),
    "a kernel whose results are one tensor": (
        SAME,
        *[call({"a": T(shape=(1, 3)), "b": T(shape=(7, 3))}, states=("inference_mode",))] * 3,
        *[call({"a": T(shape=(1, 3)), "b": T(shape=(7, 3))})] * 3,
    ),
    "an operator that writes before it raises": (
        WRITES,
        call({"a": T(kind="inference"), "b": T()}),
    ),
    "sums in a tensor without memory": (
        SUMS,
        *[call({"a": T(kind="meta", dtype=x), "b": T(dtype=x)}) for x in ("int64", "float32")],
        call({"a": T(kind="meta"), "b": T(kind="meta")}),
        call({"a": T(kind="meta"), "b": T((7,))}),
        call({"a": T(), "b": T(kind="meta")}),
    ),
    "an operator that cannot write": (WRITES, call({"a": T(kind="zero"), "b": T()})),
    "sizes and sums": (
        SIZES,
        *[call({"a": T(kind=kind)}) for kind in ("nested", "csr", "mkldnn", "quantized", "sparse")],
    ),
    "strides": (STRIDES, *[call({"a": T(kind=kind)}) for kind in ("nested", "csr", "sparse", "")]),
    "zeros without memory, joined": (
        JOINS,
        call({"a": T(kind="zero"), "b": T()}),
        call({"a": T(), "b": T(kind="zero")}),
    ),
    "a default device": (
        MAKES,
        *[call({"a": T()}, states=("default device meta",))] * 2,
        call({"a": T()}),
    ),
    "a warning": (SCALES, call({"a": T(kind="nested")}), call({"a": T(kind="nested")})),
}


@pytest.fixture
def warns_always() -> Iterator[None]:
    torch.set_warn_always(True)
    yield
    torch.set_warn_always(False)


@pytest.mark.one_in(5)
@pytest.mark.filterwarnings(
    "ignore:The PyTorch API of nested tensors", "ignore:.*quantized", "ignore:Sparse CSR"
)
@pytest.mark.parametrize("name", HISTORIES)
def test_history(name: str, warns_always: None, monkeypatch: Any) -> None:
    program, *steps = HISTORIES[name]
    for variable in ("MINITS_BUILD", "MINITS_NATIVE"):
        monkeypatch.setenv(variable, "now")
    calls = frozenset(number for number, step in enumerate(steps) if isinstance(step, Call))
    assert check(History(program, tuple(steps), bound=0, build="now"), calls) is None


def summed(x: Tensor, n: int) -> Tensor:
    for _ in range(n):
        x = torch.cumsum(x, 0).to(torch.float32)
    return x


def test_warnings_are_issued_and_may_be_errors(warns_always: None, monkeypatch: Any) -> None:
    """torch warns of a complex number that loses its imaginary part."""
    native = compiled(summed, "now", monkeypatch)
    x = torch.ones(3, dtype=torch.complex64)
    for _ in range(2):
        with pytest.warns(UserWarning, match="discards the imaginary part"):
            assert native(x, 1).tolist() == [1.0, 2.0, 3.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="discards the imaginary part"):
            native(x, 1)
    assert native.plan_for(x, 1).native.report() == "runs as C"


def without_need(x: Tensor) -> float:
    return True


def test_a_function_that_is_given_nothing(monkeypatch: Any) -> None:
    native = compiled(without_need, "now", monkeypatch)
    assert [native(torch.ones(2)) for _ in range(2)] == [1.0, 1.0]
    assert native.plan_for(torch.ones(2)).native.report() == "runs as C"


def product(x: Tensor, y: Tensor) -> Tensor:
    return torch.mm(x * y, y)


class Odd(Exception):
    pass


def test_what_a_hook_raises_is_raised(monkeypatch: Any) -> None:
    """torch's operators call the hooks of autograd, and C the operators."""
    native = compiled(product, "now", monkeypatch)
    x, y = torch.ones(2, 2), torch.ones(2, 2, requires_grad=True)

    def pack(saved: Tensor) -> Tensor:
        raise Odd(tuple(saved.shape))

    for _ in range(3):
        with (
            pytest.raises(Odd),
            torch.autograd.graph.saved_tensors_hooks(pack, lambda saved: saved),
        ):
            native(x, y)
        assert torch.equal(native(x, y), product(x, y))
    assert native.plan_for(x, y).native.report() == "runs as C"


def test_a_checkpoint_stops_c_when_it_has_what_it_needs(monkeypatch: Any) -> None:
    """It raises an error of its own in a hook."""
    native = compiled(product, "now", monkeypatch)
    for _ in range(3):
        found, wanted = (torch.ones(2, 2, requires_grad=True) for _ in range(2))
        checkpoint(native, torch.ones(2, 2), found, use_reentrant=False).sum().backward()
        checkpoint(product, torch.ones(2, 2), wanted, use_reentrant=False).sum().backward()
        assert torch.equal(found.grad, wanted.grad)
