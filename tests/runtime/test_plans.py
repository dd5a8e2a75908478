"""Plans: which calls share one, which do not, and how many are kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.autograd import forward_ad

import minits
from minits.ops.errors import ScriptError
from minits.runtime import plan_table, planning
from minits.runtime.argument_faults import ArgumentError
from minits.runtime.strict_fusion import FusionError


def scaled(x: Tensor, y: Tensor, s: float) -> Tensor:
    return torch.tanh(x * y) * s + x


def with_matrix(x: Tensor, w: Tensor) -> Tensor:
    return torch.relu(torch.mm(x, w) * 2 + 1) - 0.5


def numbers(a: int, b: int) -> int:
    return a * b + a


@pytest.fixture
def compiled() -> Any:
    return minits.script(scaled)


def plans(compiled: Any) -> list[Any]:
    return list(compiled._plans)


def test_other_sizes_and_numbers_are_the_same_plan(compiled: Any) -> None:
    for rows in (2, 3, 5, 100):
        x, y = torch.randn(rows, 4), torch.randn(4)
        for s in (1.0, 2.5):
            torch.testing.assert_close(compiled(x, y, s), scaled(x, y, s))
    assert len(plans(compiled)) == 1
    assert len(plans(compiled)[0].groups) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x.double(),
        lambda x: x[:1],
        lambda x: x.t().contiguous().t(),
        lambda x: x.clone().requires_grad_(),
        lambda x: x[None],
    ],
    ids=["dtype", "a size of one", "strides", "requires_grad", "rank"],
)
def test_what_plans_are_told_apart_by(compiled: Any, change: Any) -> None:
    x, y = torch.randn(3, 4), torch.randn(4)
    compiled(x, y, 2.0)
    other = change(x)
    torch.testing.assert_close(compiled(other, y, 2.0), scaled(other, y, 2.0))
    assert len(plans(compiled)) == 2
    compiled(x, y, 2.0)
    assert len(plans(compiled)) == 2


def test_programs_without_operators_to_fuse_have_one_plan() -> None:
    compiled = minits.script(numbers)
    assert [compiled(2, 3), compiled(5, 7)] == [8, 40]
    assert len(plans(compiled)) == 1


@pytest.fixture
def few_plans(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    monkeypatch.setattr(plan_table, "MOST_PLANS", 3)
    monkeypatch.setattr(planning, "MOST_SHAPES", 2)
    yield 3


def test_the_plan_used_longest_ago_goes_first(few_plans: int, compiled: Any) -> None:
    ys = torch.randn(4)
    shapes = [(4,), (3, 4), (2, 3, 4), (2, 2, 3, 4), (2, 2, 2, 3, 4)]
    for shape in shapes * 2:
        x = torch.randn(shape)
        torch.testing.assert_close(compiled(x, ys, 1.5), scaled(x, ys, 1.5))
        assert len(plans(compiled)) <= few_plans
    assert "misses 10, evictions 7" in compiled.plan_report()


def test_the_report_tells_what_was_built(compiled: Any) -> None:
    compiled(torch.randn(3, 4), torch.randn(4), 2.0)
    report = compiled.plan_report()
    assert "x float32[*, *] cpu, y float32[*] cpu: built in " in report
    assert "kernel_0: 1 kernel" in report
    assert report.endswith("hits 0, misses 1, evictions 0")


# ---- Who else looks at operators -----------------------------------------------------------------


def test_vmap_and_grad_see_single_operators(compiled: Any) -> None:
    x, y = torch.randn(5, 3, 4), torch.randn(4)
    found = torch.vmap(lambda each: compiled(each, y, 2.0))(x)
    torch.testing.assert_close(found, scaled(x, y, 2.0))
    slope = torch.func.grad(lambda each: compiled(each, y, 2.0).sum())(x)
    expected = torch.func.grad(lambda each: scaled(each, y, 2.0).sum())(x)
    torch.testing.assert_close(slope, expected)
    assert "operators are observed" in compiled.plan_report()


def test_autocast_is_not_fused_and_says_so(compiled: Any) -> None:
    x, y = torch.randn(3, 4), torch.randn(4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        remarks = compiled.remarks(x, y, 2.0)
        assert [remark.code for remark in remarks] == ["observed"]
        assert "torch.autocast" in remarks[0].message
        torch.testing.assert_close(compiled(x, y, 2.0), scaled(x, y, 2.0))
    assert all(remark.kind == "passed" for remark in compiled.remarks(x, y, 2.0))


def test_none_for_a_tensor_is_an_error_where_it_is_used_only() -> None:
    def masked(x: torch.Tensor, mask: torch.Tensor, is_masked: bool):
        if is_masked:
            return torch.relu(x + mask) * 2
        return torch.relu(x) * 2

    x = torch.randn(3)
    for script in (torch.jit.script, minits.script):
        function = script(masked)
        torch.testing.assert_close(function(x, x, True), torch.relu(x + x) * 2)
        torch.testing.assert_close(function(x, None, False), torch.relu(x) * 2)
        with pytest.raises((RuntimeError, TypeError)):
            function(x, None, True)
        torch.testing.assert_close(function(x, x, True), torch.relu(x + x) * 2)


class Odd(torch.Tensor):
    """A subclass of Tensor may do anything in its operators."""


def test_subclasses_of_tensor_run_unfused(compiled: Any) -> None:
    x, y = torch.randn(3, 4).as_subclass(Odd), torch.randn(4)
    result = compiled(x, y, 2.0)
    assert isinstance(result, Odd)
    torch.testing.assert_close(result, scaled(x, y, 2.0))


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_without_gradients(compiled: Any, mode: Any) -> None:
    x, y = torch.randn(3, 4, requires_grad=True), torch.randn(4)
    with mode():
        result = compiled(x, y, 2.0)
        assert not result.requires_grad
        assert result.is_inference() == torch.is_inference_mode_enabled()
        torch.testing.assert_close(result, scaled(x, y, 2.0))


# ---- strict_fusion -------------------------------------------------------------------------------


def test_strict_fusion_lets_pass_what_is_fused(compiled: Any) -> None:
    x, y = torch.randn(3, 4), torch.randn(4)
    with minits.strict_fusion():
        torch.testing.assert_close(compiled(x, y, 2.0), scaled(x, y, 2.0))


def test_strict_fusion_raises_with_the_remarks() -> None:
    compiled = minits.script(with_matrix)
    x, w = torch.randn(3, 4), torch.randn(4, 4)
    with pytest.raises(FusionError, match="aten::mm") as caught, minits.strict_fusion():
        compiled(x, w)
    assert any(remark.code == "not-elementwise" for remark in caught.value.remarks)
    torch.testing.assert_close(compiled(x, w), with_matrix(x, w))


def test_no_compiler_is_one_remark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    compiled = minits.script(scaled)
    x, y = torch.randn(3, 4), torch.randn(4)
    for _ in range(3):
        torch.testing.assert_close(compiled(x, y, 2.0), scaled(x, y, 2.0))
    missed = [remark for remark in compiled.remarks(x, y, 2.0) if remark.kind == "missed"]
    assert [remark.code for remark in missed] == ["no-compiler"]
    assert "install gcc" in (missed[0].fix or missed[0].message)


class Norm(nn.Module):
    """Parameters are inputs of a kernel that are no arguments of the call."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4))

    def forward(self, x: Tensor) -> Tensor:
        return torch.tanh(x * self.weight) + x


def test_attributes_may_change_their_dtype() -> None:
    module = Norm()
    compiled = minits.script(module)
    x = torch.randn(3, 4)
    with torch.no_grad():
        torch.testing.assert_close(compiled(x), module(x))
        compiled.double()
        expected = torch.tanh(x * compiled.weight) + x
        assert expected.dtype == torch.float64
        torch.testing.assert_close(compiled(x), expected)


# ---- The short way -------------------------------------------------------------------------------


def test_calls_of_known_shapes_go_the_short_way(compiled: Any) -> None:
    x, y = torch.randn(3, 4), torch.randn(4)
    for _ in range(3):
        torch.testing.assert_close(compiled(x, y, 2.0), scaled(x, y, 2.0))
    assert len(compiled._direct) == 1
    assert plans(compiled)[0].hits == 3
    torch.testing.assert_close(compiled(x, y, 3), scaled(x, y, 3.0))  # an int is converted
    torch.testing.assert_close(compiled(x, y, s=2.0), scaled(x, y, 2.0))
    assert len(compiled._direct) == 1


def with_defaults(x: Tensor, mask: Tensor | None = None, s: float = 2.0) -> Tensor:
    y = x * s
    if mask is not None:
        y = y + mask
    return torch.softmax(y, -1)


def test_defaults_and_none_are_told_apart() -> None:
    compiled = minits.script(with_defaults)
    x, mask = torch.randn(3, 4), torch.randn(4)
    for args in ((x,), (x, None), (x, mask), (x, mask, 0.5), (x, None, 0.5)) * 2:
        torch.testing.assert_close(compiled(*args), with_defaults(*args))


def test_patterns_of_none_in_turn_are_told_by_their_guards() -> None:
    compiled = minits.script(with_defaults)
    x, mask = torch.randn(3, 4), torch.randn(4)
    calls = ((x,), (x, None), (x, mask), (x, None, 0.5))
    for args in calls * 2:
        compiled(*args)
    direct = compiled._direct
    for args in calls:
        assert (direct._with_same_nones(args) is None) == (args == (x, mask))
    assert direct._with_same_nones((torch.randn(2, 4), None)) is None
    assert direct._with_same_nones((x.double(), None)) is None
    assert direct._with_same_nones((None, None)) is None
    for args in ((torch.randn(2, 4), None), (x.double(), None), *calls):
        torch.testing.assert_close(compiled(*args), with_defaults(*args))


def test_wrong_arguments_are_told_after_a_right_call(compiled: Any) -> None:
    x, y = torch.randn(3, 4), torch.randn(4)
    compiled(x, y, 2.0)
    for wrong in ((x, 3, 2.0), (x, y), (x, y, 2.0, 1)):
        with pytest.raises(ArgumentError):
            compiled(*wrong)
    strided = torch.randn(4, 3).t()
    torch.testing.assert_close(compiled(strided, y, 2.0), scaled(strided, y, 2.0))


def test_tangents_are_not_lost(compiled: Any) -> None:
    x, y = torch.randn(3, 4), torch.randn(4)
    compiled(x, y, 2.0)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, torch.ones_like(x))
        found = forward_ad.unpack_dual(compiled(dual, y, 2.0)).tangent
        expected = forward_ad.unpack_dual(scaled(dual, y, 2.0)).tangent
    torch.testing.assert_close(found, expected)


def uses_sizes(x: Tensor, w: Tensor) -> Tensor:
    return torch.nn.functional.layer_norm(x + 1, [x.size(-1)], w) * (8 // x.size(0))


def test_numbers_beside_a_bound_kernel_are_computed_anew() -> None:
    compiled = minits.script(uses_sizes)
    for rows in (2, 4, 2):
        x, w = torch.randn(rows, 8), torch.randn(8)
        for _ in range(2):
            torch.testing.assert_close(compiled(x, w), uses_sizes(x, w))
    with pytest.raises(ScriptError, match="division by 0"):
        compiled(torch.randn(0, 8), torch.randn(8))
