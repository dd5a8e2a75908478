"""Tasks have plans and kernels of their own."""

from __future__ import annotations

from typing import Optional

import pytest
import torch
from torch import Tensor

import minits
from minits.ops.errors import ScriptError
from minits.runtime.task_plans import plans_of_tasks

ROWS = torch.linspace(-2, 2, 12).view(3, 4)


def gated(x: Tensor, y: Tensor) -> Tensor:
    return (x * y).sigmoid() * x + torch.tanh(y)


def both(x: Tensor, y: Tensor) -> Tensor:
    first = torch.jit.fork(gated, x, y)
    second = torch.jit.fork(gated, y, x)
    return torch.jit.wait(first) + torch.jit.wait(second)


def task_kernels(compiled, *arguments) -> int:
    """Return how many kernels the tasks of the plan for a call have."""
    plan = compiled.plan_for(*arguments)
    return sum(len(group.made.kernels) for each in plan.tasks for p in each for group in p.groups)


def test_a_task_is_fused():
    compiled = minits.script(both)
    for rows in (ROWS, ROWS[:2], ROWS.double()):
        torch.testing.assert_close(compiled(rows, rows + 1), both(rows, rows + 1))
    assert task_kernels(compiled, ROWS, ROWS) == 2
    assert task_kernels(compiled, ROWS.double(), ROWS.double()) == 2


def test_the_report_and_the_remarks_tell_of_tasks():
    def spread(x: Tensor) -> Tensor:
        future = torch.jit.fork(sorted_rows, x)
        return torch.jit.wait(future)

    compiled = minits.script(spread)
    compiled(ROWS)
    assert "task:   kernel_0: 1 kernel" in compiled.plan_report()
    assert "aten::sort" in {remark.operator for remark in compiled.remarks(ROWS)}


def sorted_rows(x: Tensor) -> Tensor:
    return (x * 2).sigmoid().sort()[0] * 2 + x


def test_gradients_go_through_fused_tasks():
    compiled = minits.script(both)
    found, expected = (ROWS.clone().requires_grad_() for _ in range(2))
    compiled(found, ROWS).exp().sum().backward()
    both(expected, ROWS).exp().sum().backward()
    torch.testing.assert_close(found.grad, expected.grad)


def masked(x: Tensor, mask: Optional[Tensor]) -> Tensor:  # noqa: UP045
    scaled = x * 2 + 1
    if mask is not None:
        scaled = scaled + mask
    return scaled.relu()


def with_masks(x: Tensor, mask: Tensor) -> Tensor:
    plain = torch.jit.fork(masked, x, None)
    futures = [torch.jit.fork(masked, x * i, mask) for i in range(3)]
    result = torch.jit.wait(plain)
    for future in futures:
        result = result + torch.jit.wait(future)
    return result


def test_an_optional_argument_does_not_cost_a_task_its_fusion():
    compiled = minits.script(with_masks)
    mask = torch.ones(3, 4)
    torch.testing.assert_close(compiled(ROWS, mask), with_masks(ROWS, mask))
    tasks = compiled.plan_for(ROWS, mask).tasks
    assert [len(plan.groups) for each in tasks for plan in each] == [1] * 4


def inner(x: Tensor) -> Tensor:
    return x.exp() * x


def outer(x: Tensor) -> Tensor:
    return torch.jit.wait(torch.jit.fork(inner, x)) + x * 2 + 1


def nested(x: Tensor) -> Tensor:
    return torch.jit.wait(torch.jit.fork(outer, x))


def test_tasks_of_tasks_are_fused():
    compiled = minits.script(nested)
    torch.testing.assert_close(compiled(ROWS), nested(ROWS))
    [around] = compiled.plan_for(ROWS).tasks
    [within] = next(iter(around)).tasks
    assert len(next(iter(within)).groups) == 1


def test_an_error_in_a_task_is_told_as_without_kernels():
    compiled = minits.script(both)
    compiled(ROWS, ROWS)
    with pytest.raises(ScriptError, match=r"gated\n(.*\n)*.*size of tensor a \(4\)"):
        compiled(ROWS, torch.ones(3))


def test_a_function_without_tasks_has_no_plans_of_any():
    compiled = minits.script(gated)
    compiled(ROWS, ROWS)
    assert plans_of_tasks(compiled.plan_for(ROWS, ROWS).run) == []
