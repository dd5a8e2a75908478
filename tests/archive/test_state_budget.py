"""`__setstate__`, the one thing that runs while an archive is loaded, and what it may not do."""

from __future__ import annotations

import io
import time

import pytest
import torch
from torch import Tensor, nn

import minits
from tests.support.archives import CLASS, FORWARD, archive_of, refused, saved


def stateful(body: str, attributes: str = "  n : int\n  kept : Any\n") -> io.BytesIO:
    """An archive whose `__setstate__` gets 5 and runs these lines; then `n` is 5."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return archive_of(
        CLASS + attributes + "  def __getstate__(self: __torch__.M) -> int:\n    return 5\n"
        "  def __setstate__(self: __torch__.M,\n    state: int) -> NoneType:\n"
        f"    self.kept = 0\n{lines}    self.n = state\n    return None\n" + FORWARD,
        b"K\5",
    )


class Packed(nn.Module):
    """A module that saves its weight in another form, as quantized modules do."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.randn(64, 64)

    @torch.jit.export
    def __getstate__(self):  # type: ignore[no-untyped-def]
        return self.weight.t().contiguous(), self.training

    @torch.jit.export
    def __setstate__(self, state: tuple[Tensor, bool]) -> None:
        with torch.no_grad():
            self.weight = torch.clamp(state[0].t() * 2.0 / 2.0, min=-100.0).clone()
        self.training = state[1]

    def forward(self, x: Tensor) -> Tensor:
        return x @ self.weight


def test_usual_ones_run() -> None:
    module = Packed()
    loaded = minits.load(saved(module))
    assert torch.equal(loaded.weight, module.weight) and torch.is_grad_enabled()


@pytest.mark.parametrize(
    "body",
    [
        "x = torch.zeros([5, 5])\ny = torch.cat([x, x])\nself.kept = torch.sum(torch.add(y, 1))",
        'a = torch.append(["a"], "b")\nself.kept = torch.format("{} {}", "a", 3)',
        "x = torch.ones([3])\nself.kept = torch.len(x)",
        "self.kept = torch.mul([1], 1000)",
    ],
)
def test_what_may_run(body: str) -> None:
    assert minits.load(stateful(body)).n == 5


@pytest.mark.one_in(2, over="")
@pytest.mark.parametrize(
    ("body", "match"),
    [
        ("self.kept = torch.zeros([100000, 100000])", "more memory or work"),
        ("self.kept = torch.clone(torch.expand(torch.ones([5]), [1000000000, 5]))", "more memory"),
        ("self.kept = torch.add(torch.expand(torch.ones([1]), [1000000000]), 1)", "more memory"),
        ("self.kept = torch.mul([1], 1000000000000)", "more memory or work"),
        ("x = torch.ones([30, 30])\nself.kept = torch.mm(x, x)", "aten::mm may not run"),
        ("self.kept = torch.linalg_svd(torch.ones([30, 30]))", "may not run"),
        ("self.kept = torch.rand([3])", "may not run"),
        ("torch.manual_seed(0)", "aten::manual_seed may not run"),
        ('self.kept = torch.ljust("a", 1000000000000)', "aten::ljust may not run"),
        ('self.kept = torch.percentFormat("%1000000000d", 1)', "aten::percentFormat may not run"),
        ("x = torch.expand(torch.ones([1]), [1000000000])\n"
         "self.kept = annotate(List[float], x.tolist())", "more memory"),
        ('s = "aaaaaaaaaa"\nfor i in range(100):\n  s = torch.add(s, s)', "more memory or work"),
        ("xs = [1]\nfor i in range(100):\n  xs = torch.add(xs, xs)", "more memory or work"),
        ("n = 0\nwhile True:\n  n = 1", "longer than it may"),
    ],
)  # fmt: skip
def test_what_may_not_run(body: str, match: str) -> None:
    start = time.process_time()
    refused(stateful(body), match)
    assert time.process_time() - start < 5


@pytest.mark.parametrize("fails", [False, True])
def test_gradients_are_enabled_as_before(fails: bool) -> None:
    body = "torch.set_grad_enabled(False)" + ('\nops.prim.RaiseException("no")' if fails else "")
    if fails:
        refused(stateful(body), "failed")
    else:
        minits.load(stateful(body))
    assert torch.is_grad_enabled()


def test_random_numbers_are_as_before() -> None:
    torch.manual_seed(3)
    expected = torch.rand(1)
    torch.manual_seed(3)
    refused(stateful("torch.manual_seed(7)"), "may not run")
    assert torch.rand(1) == expected


@pytest.mark.slow
def test_objects_share_one_budget() -> None:
    """Each of 20 objects loops for less than the budget."""
    inner = (
        "class N(Module):\n  __parameters__ = []\n  n : int\n"
        "  def __getstate__(self: __torch__.N) -> int:\n    return 5\n"
        "  def __setstate__(self: __torch__.N,\n    state: int) -> NoneType:\n"
        "    for i in range(20000):\n      self.n = i\n    return None\n"
    )
    names = [f"a{i:02}" for i in range(20)]
    code = CLASS + "".join(f"  {name} : __torch__.N\n" for name in names) + FORWARD + inner
    made = b"c__torch__\nN\n)\x81K\5b"
    state = b"}(" + b"".join(b"X\3\0\0\0" + name.encode() + made for name in names) + b"u"
    refused(archive_of(code, state), "longer than it may")
