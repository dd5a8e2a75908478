"""Calls of which one size grows, as a decoder's keys and values do, of plans of several steps."""

from __future__ import annotations

from typing import Any, Optional

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.kernels.launch.admission import ONE_IN


def attention(
    keys: Tensor,
    query: Tensor,
    mask: Tensor | None,
    scale: float,
) -> Tensor:
    scores = torch.matmul(keys, query.unsqueeze(-1)).squeeze(-1) / scale
    if mask is not None:
        scores = scores + mask
    return torch.softmax(scores, dim=-1)


class Attention(nn.Module):
    """The same with a projection, whose keys are the last ones of a list."""

    def __init__(self) -> None:
        super().__init__()
        self.query = nn.Linear(8, 8)
        self.scale = 2.0
        self.flag = True

    def forward(
        self,
        x: Tensor,
        past: list[tuple[Tensor, Tensor]],
        mask: Optional[Tensor] = None,  # noqa: UP045
    ) -> Tensor:
        query = torch.relu(self.query(x))
        weights = attention(past[-1][0], query, mask, self.scale)
        if self.flag:
            weights = weights * 2
        return torch.matmul(weights.unsqueeze(-2), past[-1][1]).squeeze(-2)


def given(n: int, dtype: torch.dtype = torch.float32) -> tuple[Any, ...]:
    torch.manual_seed(n)
    keys, values = torch.randn(2, 2, 3, n, 8, dtype=dtype)
    return torch.randn(2, 3, 8, dtype=dtype), keys, values, torch.randn(2, 1, n, dtype=dtype)


def same(found: Tensor, expected: Tensor) -> None:
    assert (found.stride(), found.requires_grad) == (expected.stride(), expected.requires_grad)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)


def call_function(compiled: Any, n: int, dtype: torch.dtype = torch.float32) -> None:
    query, keys, _, mask = given(n, dtype)
    for each in (mask, None):
        same(compiled(keys, query, each, 2.0), attention(keys, query, each, 2.0))


def call_module(compiled: Any, module: Any, n: int, dtype: torch.dtype = torch.float32) -> None:
    x, keys, values, mask = given(n, dtype)
    past = [(values, keys), (keys, values)]
    same(compiled(x, past, mask=mask), module(x, past, mask=mask))


SIZES = [*range(2, 40), 1, 41, 0, 42, 1, 43, 3, 3, 3, 3, 300]


@pytest.mark.slow
def test_a_function() -> None:
    compiled = minits.script(attention)
    with torch.no_grad():
        for n in SIZES:
            call_function(compiled, n)
    for n in range(50, 60):
        call_function(compiled, n, torch.float64)
        query, keys, _, mask = given(n)
        turned = keys.transpose(-1, -2).contiguous().transpose(-1, -2)
        same(compiled(turned, query, mask, 2.0), attention(turned, query, mask, 2.0))
        wide = torch.randn(2, 1, 2 * n)[..., ::2]
        same(compiled(keys, query, wide, 2.0), attention(keys, query, wide, 2.0))
    with pytest.raises(RuntimeError, match="size"):
        compiled(given(7)[1], given(7)[0], given(8)[3], 2.0)


def _change_nothing(module: Any) -> None:
    pass


def _freeze(module: Any) -> None:
    module.query.weight.requires_grad_(False)
    module.query.bias.requires_grad_(False)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("change", [
    _change_nothing, _freeze, lambda module: setattr(module, "flag", False),
    lambda module: module.double(), lambda module: setattr(module, "scale", 3.0),
])  # fmt: skip
@pytest.mark.parametrize("records", [False, True])
def test_a_module_whose_attributes_change(change: Any, records: bool) -> None:
    module = Attention()
    compiled = minits.script(module)
    with torch.set_grad_enabled(records):
        for n in SIZES:
            call_module(compiled, module, n)
        for each in (module, compiled):
            change(each)
        dtype = module.query.weight.dtype
        for n in range(60, 80):
            call_module(compiled, module, n, dtype)
            x, keys, values, _ = given(n, dtype)
            same(compiled(x, [(keys, values)]), module(x, [(keys, values)]))


def counting_look_ups(plans: Any) -> list[int]:
    """Return a list that gets an item for each call that is looked up from now on."""
    found: list[int] = []
    bound = plans.bound

    def counted(values: list[Any]) -> Any:
        found.append(1)
        return bound(values)

    plans.bound = counted
    return found


def test_calls_of_other_sizes_are_not_looked_up_but_one_in_so_many() -> None:
    compiled = minits.script(Attention())
    method = compiled.compile_method("forward")
    with torch.no_grad():
        for n in range(400, 420):  # sizes that no other test has
            x, keys, values, mask = given(n)
            compiled(x, [(keys, values)], mask)
        assert method._repeated.any_sizes is not None
        looked_up = counting_look_ups(method._plans)
        for n in range(420, 420 + 4 * ONE_IN):
            x, keys, values, mask = given(n)
            compiled(x, [(keys, values)], mask)
    assert 3 <= len(looked_up) <= 5


def test_a_call_is_like_another_but_for_sizes_of_its_kind() -> None:
    """Plans rely on dtypes, and on which sizes are one, and which tensors have no gaps."""
    compiled = minits.script(Attention())
    method = compiled.compile_method("forward")
    with torch.no_grad():
        for n in range(600, 610):
            x, keys, values, mask = given(n)
            compiled(x, [(keys, values)], mask)
        known = method._repeated.any_sizes

        def is_like_it(x: Tensor, mask: Tensor | None) -> bool:
            return bool(known.is_like((x, [], mask), method._receiver))

        x, mask = given(7)[0], given(30)[3]
        assert is_like_it(x, mask)
        assert is_like_it(torch.randn(5, 9, 8), mask)
        assert not is_like_it(x, given(1)[3])
        assert not is_like_it(x, None)
        assert not is_like_it(x, mask.double())
        assert not is_like_it(x, torch.randn(2, 1, 60)[..., ::2])
        assert not is_like_it(x.transpose(0, 1), mask)
        compiled.query.weight.requires_grad_(False)
        assert not is_like_it(x, mask)


def sum_of_ends(x: Tensor) -> Tensor:
    return x.select(1, 0) + x.select(1, 1)


def test_a_plan_without_kernels_runs_any_sizes_without_being_looked_up() -> None:
    compiled = minits.script(sum_of_ends)
    for n in range(2, 12):
        compiled(torch.rand(n, 3))
    looked_up = counting_look_ups(compiled._plans)
    for n in range(20, 20 + 4 * ONE_IN):
        x = torch.rand(n, 3)
        assert torch.equal(compiled(x), x[:, 0] + x[:, 1])
    assert 3 <= len(looked_up) <= 5
    for x in (torch.rand(1, 3), torch.rand(3, 5).t(), torch.rand(2, 3, dtype=torch.float64)):
        assert torch.equal(compiled(x), x[:, 0] + x[:, 1])
    x = torch.rand(30, 3, requires_grad=True)
    compiled(x).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [[1, 1, 0]] * 30
