"""Inferred metadata is what tensors turn out to be: compared with the interpreter's values."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import minits
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph, Value
from minits.ir.parser import parse_graph
from minits.passes.shape_propagation.propagate import infer_metadata
from minits.runtime.interpreter import Environment, _run_block
from minits.types.tensor_meta import TensorMeta
from tests.support.fusing import optimize
from tests.support.kept_values import NO_LAST_USES


def prepared(program: Any) -> Graph:
    graph = clone_graph(minits.script(program).graph)
    optimize(graph)
    return graph


def check(graph: Graph, arguments: tuple[Any, ...], unknown: int = 0) -> dict[Value, TensorMeta]:
    """Compare all metadata of a graph without control flow with the values; return the metadata."""
    metas = infer_metadata(graph, arguments)
    values = Environment(NO_LAST_USES)
    _run_block(graph.block, [*arguments], values)
    tensors = {value: made for value, made in values.items() if isinstance(made, Tensor)}
    missing = [value for value in tensors if value not in metas]
    assert len(missing) == unknown, [value.node for value in missing]
    for value, meta in metas.items():
        if value not in values:
            continue  # in a branch that is not taken
        made = tensors[value]
        assert meta.dtype == made.dtype, value.node
        assert meta.shape == tuple(made.shape), value.node
        assert meta.device == made.device, value.node
        assert meta.requires_grad == made.requires_grad, value.node
    return metas


def named(metas: dict[Value, TensorMeta], name: str) -> TensorMeta | None:
    """The metadata of the value whose name in the program is `name`."""
    found = {value.name.split(".")[0]: meta for value, meta in metas.items()}
    return found.get(name)


# ---- Operators ---------------------------------------------------------------------------------


def elementwise(x: Tensor, y: Tensor, n: int):
    a = x + y * 2 - n
    b = a / 3 + torch.where(x > y, x, a)
    c = (b.sigmoid() * F.gelu(b) + b.relu()).clamp(-1.0, 1.0)
    d = torch.atan2(c, a).pow(2) + F.silu(c) ** 3
    e = d.masked_fill(c > 0, 0.5) + torch.lerp(c, d, 0.5) + torch.addcmul(a, c, d)
    return a, b, c, d, e, (c > 0) & (d < 1), ~(x == y), x.abs().floor() // 2


def reductions(x: Tensor):
    values, indices = x.max(dim=1)
    return (
        x.sum(), x.sum(dim=-1), x.mean(dim=[0, 2], keepdim=True), x.amax(1), x.var(-1), x.std(),
        x.argmax(-1), x.argmax(), (x > 0).any(), (x > 0).sum(1), x.norm(), x.prod(0), x.max(),
        torch.logsumexp(x, 1), values, indices, torch.max(x, x + 1), x.all(dim=0), x.min(),
    )  # fmt: skip


def normalisations(x: Tensor, w: Tensor):
    a = F.softmax(x, dim=-1) + torch.log_softmax(x, 1)
    b = F.layer_norm(x, [x.shape[-1]], w, w)
    c = F.softmax(x, dim=-1, dtype=torch.float64)
    d = F.group_norm(x, 3) + F.dropout(x, 0.5, False) + F.rms_norm(x, [8], w)
    return a, b, c, d, F.batch_norm(x, w[:3], w[:3].abs())


def scans(x: Tensor, w: Tensor):
    flags = x > 0
    return (
        x.cumsum(1), flags.cumsum(-1), flags.to(torch.int32).cumprod(0), w.logcumsumexp(0),
        x.cumsum(2, dtype=torch.int32), x.cummax(-1),
    )  # fmt: skip


def views(x: Tensor):
    a, b = x.chunk(2, dim=-1)
    q, r, s = x.unbind(1)
    y = x.transpose(0, 1).unsqueeze(0).expand(5, 3, 2, 8)
    z = x[:, 1:, ::2].permute(2, 0, 1).contiguous().view(4, -1)
    one, other = torch.split(x, [3, 5], 2)
    return a * b, q, r + s, y, z, x.reshape(-1), x.squeeze(), x.select(0, 1), x.mT, one, other


def products(x: Tensor, w: Tensor):
    a = x @ x.transpose(1, 2)
    b = F.linear(x, torch.ones(5, 8), torch.zeros(5))
    c = torch.cat([a, a], dim=1) + 0
    d = torch.stack([w, w]).to(torch.float64)
    e = torch.bmm(x, x.mT) + torch.mv(x[0], w).sum() + torch.dot(w, w)
    f = F.embedding(torch.zeros(2, 3, dtype=torch.long), x[0])
    return (
        a,
        b,
        c,
        d,
        e,
        f,
        torch.addmm(w, x[0], torch.ones(8, 8)),
        x.gather(1, f[:, :1, :3].long()),
    )


def factories(x: Tensor, n: int):
    shape = x.shape
    a = torch.zeros(2, n) + torch.ones([n]) + torch.full([n], 3) + torch.full([1], 0.5)
    b = torch.zeros_like(x) + x.new_zeros(shape) + torch.rand_like(x) + torch.randn(shape)
    return a, b, torch.tensor([1, 2]), torch.arange(n), torch.empty_like(x, dtype=torch.int8), n


def casts(x: Tensor, y: Tensor):
    a = x.to(torch.float16) * y.half() + 1
    b = a.type_as(x) + a.float() + x.double() + x.to(y)
    return a, b, x.int() / 2, x.int() * 2.5, (x > 0) * 3, x.int() + 1, x.detach() * 2


def losses(x: Tensor, y: Tensor):
    return (
        F.mse_loss(x, y), F.l1_loss(x, y, reduction="none"), F.smooth_l1_loss(x, y),
        F.huber_loss(x, y, reduction="sum"), F.binary_cross_entropy_with_logits(x, y),
        F.cross_entropy(x, y.argmax(1)), F.cross_entropy(x, y.argmax(1), reduction="none"),
    )  # fmt: skip


def in_place(x: Tensor, y: Tensor):
    z = x * 2
    z += y
    z.mul_(3).clamp_(min=0.0)
    z[0] = 1.0
    return z, z + 1


def rand(*shape: int, grad: bool = False, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.rand(shape, dtype=dtype).requires_grad_(grad)


CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (elementwise, (rand(2, 1, 3), rand(4, 3), 2)),
    (elementwise, (rand(4, 3, grad=True), torch.tensor(1.5), 2)),
    (elementwise, (rand(0, 3), rand(3, dtype=torch.float16), 2)),
    (elementwise, (rand(3, dtype=torch.bfloat16), torch.tensor(2.0, dtype=torch.float64), 2)),
    (reductions, (rand(2, 3, 4),)),
    (reductions, (rand(1, 3, 1, grad=True),)),
    (normalisations, (rand(2, 3, 8), rand(8))),
    (normalisations, (rand(1, 3, 8, grad=True), rand(8))),
    (scans, (rand(2, 3, 8), rand(8))),
    (views, (rand(2, 3, 8),)),
    (products, (rand(2, 3, 8), rand(8, grad=True))),
    (factories, (rand(2, 3), 3)),
    (casts, (rand(2, 3), rand(3, dtype=torch.float64))),
    (casts, (rand(2, 3, grad=True), rand(3))),
    (losses, (rand(4, 3), rand(4, 3))),
    (losses, (rand(4, 3, grad=True), rand(4, 3))),
    (losses, (rand(4, 3), rand(4, 3).double())),
    (losses, (rand(4, 3).double(), rand(4, 3))),
    (losses, (rand(4, 3).half(), rand(4, 3))),
    (in_place, (rand(2, 3), rand(3, grad=True))),
]  # fmt: skip


@pytest.mark.parametrize(("program", "arguments"), CASES)
def test_metadata_is_what_tensors_are_like(program: Callable[..., Any], arguments: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of var and std over a single element
        check(prepared(program), arguments)


class Convolutions(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.line = nn.Conv1d(8, 4, 2)
        self.out = nn.Linear(7, 2)

    def forward(self, x: Tensor) -> Tensor:
        y = F.max_pool2d(torch.relu(self.norm(self.conv(x))), 2)
        y = F.avg_pool2d(y, [1, 2], stride=1)
        return self.out(self.line(y.flatten(2)))


def test_a_module() -> None:
    module = minits.script(Convolutions().eval())
    graph = prepared(module)
    x = torch.rand(2, 3, 16, 16)
    check(graph, (module, x[:, :, :, :12]), unknown=0)


def test_the_operators_of_attention() -> None:
    def attend(q: Tensor, v: Tensor, mask: Tensor):
        return F.scaled_dot_product_attention(q, q, v, mask) * 2

    graph = prepared(attend)
    check(graph, (rand(2, 3, 5, 8), rand(2, 3, 5, 4), rand(5, 5)))


def test_operators_without_a_rule_run_on_meta_tensors() -> None:
    def other(x: Tensor):
        return torch.flip(x, [0]) + x.roll(1) + torch.tril(x)

    state = torch.get_rng_state()
    check(prepared(other), (rand(3, 3),))
    check(prepared(lambda_dropout), (rand(3, 3),))
    infer_metadata(prepared(lambda_dropout), (rand(3, 3),))
    assert not torch.equal(state, torch.get_rng_state())  # by the interpreter, and rand
    state = torch.get_rng_state()
    infer_metadata(prepared(lambda_dropout), (torch.ones(3, 3),))
    assert torch.equal(state, torch.get_rng_state())


def lambda_dropout(x: Tensor):
    return F.dropout(x, 0.5, True) + torch.rand(3, 3) + torch.bernoulli(x)


# ---- Control flow ------------------------------------------------------------------------------


def metas_of(program: Callable[..., Any], *arguments: Any) -> dict[Value, TensorMeta]:
    return infer_metadata(prepared(program), arguments)


def test_branches_are_joined() -> None:
    def program(x: Tensor, n: int):
        if n > 2:
            same, other, wider = x * 2, x.double(), x.unsqueeze(0)
        else:
            same, other, wider = x + 1, x, x
        return same * 1, other * 1, wider * 1

    graph = prepared(program)
    metas = infer_metadata(graph, (rand(2, 3), 5))
    results = graph.block.outputs[0].node.inputs
    assert [value in metas for value in results] == [True, False, False]
    assert metas[results[0]].shape == (2, 3)
    inner = [node for node in graph.all_nodes() if node.kind == "aten::unsqueeze"]
    assert metas[inner[0].output].shape == (1, 2, 3)


def test_what_a_plan_fixes_decides_a_branch() -> None:
    def program(x: Tensor):
        if x.dim() == 2:
            x = x.unsqueeze(0)
        return x * 2

    graph = prepared(program)
    assert infer_metadata(graph, (rand(2, 3),))[graph.outputs[0]].shape == (1, 2, 3)
    assert infer_metadata(graph, (rand(2, 3, 4),))[graph.outputs[0]].shape == (2, 3, 4)


def test_a_branch_that_raises_gives_nothing() -> None:
    def program(x: Tensor, n: int):
        if n > 2:
            y = x * 2
        else:
            raise ValueError("n")
        return y + 1

    graph = prepared(program)
    assert graph.outputs[0] in infer_metadata(graph, (rand(2, 3), 1))


def test_loops_carry_what_stays_the_same() -> None:
    def program(x: Tensor, n: int):
        same, wider, grown = x, x, x[:1]
        for _ in range(n):
            same = same * 2 + 1
            wider = wider.unsqueeze(0)
            grown = torch.cat([grown, x])
        return same + 1, wider + 1, grown + 1

    graph = prepared(program)
    metas = infer_metadata(graph, (rand(2, 3), 3), certain=True)
    results = graph.block.outputs[0].node.inputs
    assert [value in metas for value in results] == [True, False, False]
    examples = infer_metadata(graph, (rand(2, 3), 3))
    assert [value in examples for value in results] == [True, False, True]
    assert examples[results[2]].shape == (3, 3)  # no size of one, as `grown` has in the first round
    body = [node.output for node in graph.all_nodes() if node.kind == "aten::mul"]
    assert metas[body[0]].shape == (2, 3)


def test_metadata_does_not_hang_on_numbers_of_one_call() -> None:
    def program(x: Tensor, dtype: int, keep: bool, sizes: list[int], dim: int):
        kinds = x.to(dtype), x.sum(0, keepdim=keep), x.view(sizes), x * dtype
        return kinds, x.sum(dim), x * x.sum().item()

    graph = prepared(program)
    metas = infer_metadata(graph, (rand(2, 3), 7, True, [3, 2], 1))
    by_kind = {node.kind: node for node in graph.all_nodes() if node.outputs}
    assert by_kind["aten::to"].output not in metas
    assert by_kind["aten::view"].output not in metas
    sums = [node.output in metas for node in graph.all_nodes() if node.kind == "aten::sum"]
    assert sums == [False, True, True]
    products = [node.output in metas for node in graph.all_nodes() if node.kind == "aten::mul"]
    assert products == [True, False]  # item() may be an int or a float


# ---- What is left unknown ----------------------------------------------------------------------


def test_what_fails_is_unknown_and_nothing_raises() -> None:
    def program(x: Tensor, y: Tensor):
        good = x * 2
        bad = x + y
        return good, bad, bad * 2, torch.nonzero(x), good.relu()

    graph = prepared(program)
    metas = infer_metadata(graph, (rand(2, 3), rand(4)), certain=True)
    kinds = {value.node.kind for value in metas}
    assert kinds == {"prim::Param", "aten::mul", "aten::relu"}
    examples = infer_metadata(graph, (rand(2, 3), rand(4)))
    assert {value.node.kind for value in examples} == kinds | {"aten::nonzero"}


def test_lists_that_are_written_to_are_unknown() -> None:
    def program(x: Tensor, xs: list[Tensor], sizes: list[int]):
        xs.append(x)
        sizes.append(3)
        return xs[0] * 2, x.view(sizes), x.view([3, 2]) * 2

    graph = prepared(program)
    given = [rand(2)]
    metas = infer_metadata(graph, (rand(2, 3), given, [2]))
    assert len(given) == 1
    known = [node.kind for node in graph.all_nodes() for v in node.outputs if v in metas]
    assert known == ["aten::view", "aten::mul"]


def test_tensors_reshaped_in_place_and_autocast() -> None:
    def program(x: Tensor):
        y = x * 2
        y.unsqueeze_(0)
        return y + 1

    assert metas_of(program, rand(2)) == {}
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert metas_of(in_place, rand(2, 3), rand(3)) == {}


def test_two_devices() -> None:
    graph = parse_graph(
        "graph(%x : Tensor, %y : Tensor, %s : Tensor):\n"
        "  %1 : int = prim::Constant[value=1]()\n"
        "  %a : Tensor = aten::mul(%x, %s)\n"
        "  %b : Tensor = aten::mul(%x, %y)\n"
        "  %d : Device = prim::device(%a)\n"
        "  return (%a, %b)\n"
    )
    there = torch.rand(2, 3, device="meta")
    metas = infer_metadata(graph, (there, rand(3), torch.tensor(2.0)))
    assert named(metas, "a") == TensorMeta(torch.float32, torch.device("meta"), (2, 3), (3, 1))
    assert named(metas, "b") is None


def test_subclasses_and_sparse_tensors() -> None:
    class Special(Tensor):
        pass

    def program(x: Tensor):
        return x * 2

    assert metas_of(program, rand(2).as_subclass(Special)) == {}
    assert metas_of(program, torch.eye(2).to_sparse()) == {}
    assert len(metas_of(program, nn.Parameter(rand(2)))) == 2


def test_elements_of_lists_are_known_where_the_index_varies() -> None:
    def program(x: Tensor):
        parts, outputs = x.unbind(0), [x[0]]
        for i in range(len(parts)):
            outputs.append(parts[i] * 2)
        odd = torch.split(x, [1, 2], 1)
        for i in range(len(odd)):
            outputs.append(odd[i] * 3)
        return torch.stack(outputs)

    graph = prepared(program)
    metas = infer_metadata(graph, (rand(3, 3),))
    products = [node.output for node in graph.all_nodes() if node.kind == "aten::mul"]
    assert [value in metas for value in products] == [True, False]
    assert metas[products[0]].shape == (3,)
