"""Writes that nobody can tell go, the others stay; programs compute what they did."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

import minits
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph
from minits.ir.in_place import lying_as_written
from minits.ir.verifier import verify
from minits.passes.remarks import Remark
from minits.passes.remove_mutation import remove_mutation
from minits.passes.shape_propagation.propagate import infer_metadata
from minits.runtime.interpreter import run
from tests.support.fusing import optimize


def removed(program: Any, *arguments: Any) -> tuple[Graph, list[Remark]]:
    graph = clone_graph(minits.script(program).graph)
    optimize(graph)
    remarks: list[Remark] = []
    metas = infer_metadata(graph, arguments, certain=True)
    remove_mutation(graph, metas, remarks)
    verify(graph)
    for value, meta in metas.items():
        if value.node.kind.startswith("aten::") and value in value.node.outputs:
            assert infer_metadata(graph, arguments, certain=True)[value] == meta
    return graph, remarks


def writes(graph: Graph) -> list[str]:
    return [
        node.kind.removeprefix("aten::")
        for node in graph.all_nodes()
        if node.kind.startswith("aten::") and node.kind.endswith("_")
        if not node.kind.endswith("__")
    ]


def check(program: Any, *arguments: Any) -> tuple[list[str], list[str]]:
    """Return the writes that are left and the messages about them, after comparing results."""
    graph, remarks = removed(program, *arguments)
    given = [each.clone() if isinstance(each, Tensor) else each for each in arguments]
    wanted = [each.clone() if isinstance(each, Tensor) else each for each in arguments]
    torch.testing.assert_close(run(graph, *given), program(*wanted))
    torch.testing.assert_close(given, wanted)
    return writes(graph), [remark.message for remark in remarks if remark.kind == "missed"]


def rand(*shape: int) -> Tensor:
    return torch.rand(shape)


# ---- What goes ---------------------------------------------------------------------------------


def fresh(x: Tensor, y: Tensor):
    a = x * 2
    a += y
    a.mul_(3).sub_(1)
    return a


def read_between(x: Tensor, y: Tensor):
    a = x * 2
    b = a + 1
    a.add_(y)
    c = a + b
    a.mul_(a)
    return a, b, c


def relu_in_place(x: Tensor, y: Tensor):
    return F.relu(torch.mm(x, y), inplace=True)


def in_a_loop(x: Tensor, y: Tensor):
    total = x + 0
    for i in range(3):
        part = y * i
        part += x
        total = total + part
    return total


def read_in_a_branch(x: Tensor, y: Tensor):
    a = x * 2
    if bool(x.sum() > 0):
        b = a + 1
    else:
        b = a
    c = b * 1
    return c, y


def filled(x: Tensor, y: Tensor):
    a = x * 2
    b = a.fill_(3)
    c = y + 1
    c.zero_()
    return a, b, c


def filled_with_a_tensor(x: Tensor, y: Tensor):
    a = x * 2
    a.fill_(y.sum())
    b = (y.t() * 2).fill_(x[0, 0])
    return a, b


def in_a_list(x: Tensor, y: Tensor):
    a = x * 2
    b = torch.cat([a, y])
    a += 1
    return torch.cat([a, b])


def clamped(x: Tensor, y: Tensor):
    return (x - y).clamp_(min=0.0).sigmoid_().masked_fill_(x > 0.5, 2.0)


@pytest.mark.parametrize(
    "program",
    [
        fresh,
        read_between,
        relu_in_place,
        in_a_loop,
        read_in_a_branch,
        filled,
        filled_with_a_tensor,
        in_a_list,
        clamped,
    ],
)
def test_what_nobody_sees_goes(program: Any) -> None:
    assert check(program, rand(3, 3), rand(3, 3)) == ([], [])


@pytest.mark.parametrize("program", [filled, filled_with_a_tensor])
def test_what_is_filled_has_gradients(program: Any) -> None:
    """They are zeros, but those of the number."""
    script = minits.script(program)
    for function in (program, script, script, script):
        x, y = rand(3, 3).requires_grad_(), rand(3, 3).requires_grad_()
        results = function(x, y)
        assert all(result.requires_grad for result in results)
        found = torch.autograd.grad([result.sum() for result in results], [x, y])
        if function is program:
            wanted = found
        torch.testing.assert_close(found, wanted)


def test_remarks_about_what_went() -> None:
    _, remarks = removed(fresh, rand(3), rand(3))
    assert [remark.operator for remark in remarks] == ["aten::add_", "aten::mul_", "aten::sub_"]
    assert {(remark.kind, remark.code) for remark in remarks} == {("passed", "mutation-removed")}
    assert "aten::add_ is computed as aten::add" in remarks[0].message
    assert remarks[0].range is not None and remarks[0].range.text.strip() == "a += y"


def test_nothing_to_do() -> None:
    graph, remarks = removed(lambda_free, rand(3))
    assert not remarks
    assert not writes(graph)


def lambda_free(x: Tensor):
    return x * 2


# ---- What stays ---------------------------------------------------------------------------------


def argument(x: Tensor, y: Tensor):
    x.add_(y)
    return x * 2


def viewed(x: Tensor, y: Tensor):
    a = x * 2
    b = a[0]
    a.add_(y)
    return a, b * 2


def part_assigned(x: Tensor, y: Tensor):
    a = x * 2
    a[0] = 1.0
    return a + y


def kept_in_a_list(x: Tensor, y: Tensor):
    a = x * 2
    parts = [a]
    parts.append(y)
    a.add_(1)
    return parts[0] + a


def read_later_in_a_list(x: Tensor, y: Tensor):
    a = x * 2
    parts = [a, y]
    a.add_(1)
    return torch.cat(parts)


def written_in_a_branch(x: Tensor, y: Tensor):
    a = x * 2
    if bool(y.sum() > 0):
        a.add_(y)
    return a


def carried(x: Tensor, y: Tensor):
    a = x * 2
    for _ in range(int(y.size(0)) + 1):
        a.add_(y)
    return a


def cast(x: Tensor, y: Tensor):
    a = x.half() + 1
    a.add_(y)
    return a


def copied(x: Tensor, y: Tensor):
    a = x * 2
    a.copy_(y)
    return a


def without_gradients(x: Tensor, y: Tensor):
    a = x * 2
    with torch.no_grad():
        a.add_(y)
    return a


def maybe_a_copy(x: Tensor, y: Tensor):
    a = (x * 2).t().contiguous()
    a.add_(y)
    return a


STAYS = [
    (argument, ["add_"], "made elsewhere"),
    (viewed, ["add_"], "aten::select shares"),
    (part_assigned, ["copy_"], "aten::select shares"),
    (kept_in_a_list, ["add_"], "others may hold|kept in a container"),
    (read_later_in_a_list, ["add_"], "in a list"),
    (written_in_a_branch, ["add_"], "outside this branch"),
    (carried, ["add_"], "."),
    (cast, ["add_"], "casts what it writes"),
    (copied, ["copy_"], "no form"),
    (without_gradients, ["add_"], "outside this branch"),
    (maybe_a_copy, ["add_"], "shares"),
]


@pytest.mark.parametrize(("program", "left", "reason"), STAYS)
def test_what_others_see_stays(program: Any, left: list[str], reason: str) -> None:
    found, messages = check(program, rand(3, 3), rand(3, 3))
    assert found == left
    assert len(messages) == 1
    assert re.search(reason, messages[0]), messages


def test_what_is_unknown_stays() -> None:
    def unknown(x: Tensor, n: int):
        a = torch.nonzero(x)
        a.add_(n)
        return a

    graph, remarks = removed(unknown, rand(3), 1)
    assert writes(graph) == ["add_"]
    (remark,) = remarks
    assert (remark.kind, remark.code) == ("missed", "aliased-mutation")
    assert "too little is known" in remark.message
    assert remark.fix == "use the result of aten::add instead of writing with aten::add_"


def test_operators_that_may_return_what_they_are_given() -> None:
    def program(x: Tensor, y: Tensor):
        a = torch.dropout(x, 0.5, False)
        a.add_(1)
        b = torch.dropout(y, 0.5, True) * 0
        b.add_(1)
        c = torch.atleast_2d(y)
        c.mul_(2)
        return a, b, c

    left, messages = check(program, rand(3, 3), rand(3, 3))
    assert left == ["add_", "mul_"]
    assert all("made elsewhere" in message for message in messages)


# ---- What eager saves for gradients ------------------------------------------------------------


def saved_as_operand(x: Tensor, y: Tensor):
    a = x * 2
    b = F.elu(a)
    a.add_(b)
    return a, b


def saved_as_result(x: Tensor, y: Tensor):
    a = torch.exp(x)
    a.add_(y)
    return a


def saved_by_the_write(x: Tensor, y: Tensor):
    a = x * 2
    a.mul_(a)
    return a


def saved_after_the_write(x: Tensor, y: Tensor):
    """As `inplace=True` the gradient of elu reads the result."""
    a = F.elu(x * 2, inplace=True)
    a.mul_(y)
    return a


def differentiable_no_more(x: Tensor, y: Tensor):
    return (x * 2).asinh_()


SAVED = [
    (saved_as_operand, "aten::elu"),
    (saved_as_result, "aten::exp"),
    (saved_by_the_write, "aten::mul_"),
    (saved_after_the_write, "aten::elu_"),
    (differentiable_no_more, "aten::asinh_"),
]


@pytest.mark.parametrize(("program", "reader"), SAVED)
def test_what_eager_has_saved_is_written_to(program: Any, reader: str) -> None:
    """So that gradients are an error, as in eager. Where there are none, the writes go."""
    graph, remarks = removed(program, rand(3, 3).requires_grad_(), rand(3, 3))
    assert writes(graph)
    assert {remark.message.rpartition(" ")[2] for remark in remarks} == {reader}
    assert check(program, rand(3, 3), rand(3, 3)) == ([], [])


def not_saved(x: Tensor, y: Tensor):
    """Each write changes what no gradient of `x` needs."""
    a = x + 1
    b = a * y
    a.add_(b)
    c = torch.tanh(a)
    a.sub_(c)
    d = torch.cat([a, c])
    a.relu_()
    return a + d[:3]


def test_what_eager_has_not_saved_goes() -> None:
    graph, _ = removed(not_saved, rand(3, 3).requires_grad_(), rand(3, 3))
    assert writes(graph) == []


def test_gradients_by_a_view() -> None:
    """The write to the view makes gradients flow through `a`, which has none before."""

    def viewed(x: Tensor, y: Tensor):
        a = y.clone()
        a[:1].add_(x[:1])
        b = a * 2
        c = F.elu(b)
        b.add_(c)
        return b

    graph, _ = removed(viewed, rand(3, 3).requires_grad_(), rand(3, 3))
    assert writes(graph) == ["add_", "add_"]


def test_small_tensors_are_asked_where_operators_take_them() -> None:
    """Sixteen groups need sixteen channels; dropout must draw no random numbers meanwhile."""

    def normed(x: Tensor, y: Tensor):
        a = F.dropout(F.group_norm(x, 16), 0.5, True)
        a.add_(1.0)
        return a

    given = rand(2, 16, 3).requires_grad_(), rand(3)
    before = torch.get_rng_state()
    graph, _ = removed(normed, *given)
    assert writes(graph) == []
    assert torch.equal(torch.get_rng_state(), before)


# ---- How results lie ---------------------------------------------------------------------------


def filled_where_positive(x: Tensor) -> Tensor:
    return (x.t() * 2).masked_fill_(x.t() > 0, 0.0)


def squared(x: Tensor) -> Tensor:
    return (x + 3).square_()


@pytest.mark.parametrize("program", [filled_where_positive, squared])
@pytest.mark.parametrize("strides", [(3, 1), (1, 3), (1, 7), (7, 1)])
@pytest.mark.parametrize("size", [3, 1])
def test_results_lie_as_what_was_written_to(program: Any, strides: tuple[int, int], size: int):
    x = torch.arange(32.0).as_strided((size, size), strides)
    found, wanted = minits.script(program)(x), program(x)
    assert found.stride() == wanted.stride()
    torch.testing.assert_close(found, wanted)


def test_what_no_kernel_computes_lies_so_as_well():
    written = torch.zeros(2, 3).t()
    masked_fill = lying_as_written(torch.masked_fill)
    made = masked_fill(written, written == 0, 2.0)
    assert made.stride() == written.stride() != written.masked_fill(written == 0, 2.0).stride()
    assert (made == 2).all()
