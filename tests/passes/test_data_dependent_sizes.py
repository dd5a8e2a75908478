"""Dtype and rank of tensors whose sizes depend on data, beside what the operators give.

The inputs have no size of `EXAMPLE_SIZE`: other sizes than this are those that come out.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import Tensor

import minits
from conformance.fusion.database import torch_database
from minits.ir.copying import clone_graph
from minits.ir.graph import Graph, Value
from minits.passes.shape_propagation.data_dependent_rules import DATA_DEPENDENT, EXAMPLE_SIZE
from minits.passes.shape_propagation.propagate import infer_metadata
from minits.runtime.interpreter import Environment, _run_block
from minits.types.tensor_meta import TensorMeta
from tests.support.fusing import optimize
from tests.support.kept_values import NO_LAST_USES


def compared(graph: Graph, arguments: tuple[Any, ...]) -> list[Value]:
    """Compare what is inferred with the values of a run; return the tensors nothing is known of."""
    examples = infer_metadata(graph, arguments)
    certain = infer_metadata(graph, arguments, certain=True)
    values = Environment(NO_LAST_USES)
    _run_block(graph.block, [*arguments], values)
    tensors = {value: made for value, made in values.items() if isinstance(made, Tensor)}
    for value, made in tensors.items():
        if value in certain:
            assert certain[value].shape == tuple(made.shape), value.node
        if value in examples:
            assert_like(value, examples[value], made)
    return [value for value in tensors if value not in examples]


def assert_like(value: Value, meta: TensorMeta, made: Tensor) -> None:
    assert (meta.dtype, meta.device, meta.rank) == (made.dtype, made.device, made.dim()), value.node
    assert meta.requires_grad == made.requires_grad, value.node
    for expected, size in zip(meta.shape, made.shape, strict=True):
        assert expected in (size, EXAMPLE_SIZE), (value.node, meta.shape, made.shape)


def compiled(program: Callable[..., Any]) -> Graph:
    graph = clone_graph(minits.script(program).graph)
    optimize(graph)
    return graph


# ---- Programs ----------------------------------------------------------------------------------


def places(x: Tensor):
    mask = x > 0
    return x.nonzero(), torch.argwhere(mask), torch.nonzero(x) + 1


def places_of_dims(x: Tensor):
    first = torch.where(x > 0)[0]
    return first * 2, torch.where(x)[0] + first.numel()


def chosen(x: Tensor):
    mask = x > 0
    return x[mask] * 2, torch.masked_select(x, mask), x[~mask], (x[mask] > 1).to(torch.int32)


def counted(x: Tensor):
    values, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True)
    only, index = torch.unique(x, return_inverse=True)
    some, times = torch.unique(x, return_counts=True)
    return values, inverse, counts, only, index, some, times, torch.unique(x)


def counted_in_order(x: Tensor):
    values, inverse, counts = torch.unique_consecutive(x, True, True)
    return values, inverse, counts, torch.unique_consecutive(x)


def ordered(x: Tensor):
    y = x.flatten()
    values, indices = torch.sort(y, descending=True)
    best, where = torch.topk(y, min(2, y.size(0)))
    return values, indices, torch.argsort(y), y[indices], best, where, y[torch.argsort(y)][1:]


def looked_up(x: Tensor):
    kept = torch.nonzero(x.flatten() > 0).squeeze(1)
    return x.flatten()[kept] + 1, torch.searchsorted(x.flatten().sort()[0], x.flatten()[kept])


def listed(x: Tensor, n: int):
    found: list[int] = []
    for i in range(n):
        found.append(i * int(x.numel()))
    rows = [[float(n)], [2.0]]
    return torch.tensor(found), torch.tensor(found, dtype=torch.float64), torch.tensor(rows)


def of_numbers(x: Tensor):
    n = int(x.numel()) % 3 + int((x > 0).sum()) * 0
    flat = torch.cat([x.flatten(), x.flatten(), torch.ones([4]).to(x.dtype)])
    return flat[n] * 2, flat[:n] + 1, flat[n:], torch.zeros(n), torch.arange(n), flat.select(0, n)


DTYPES = (torch.float32, torch.float64, torch.int64, torch.int32, torch.bfloat16, torch.bool)
SHAPES = ((), (1,), (5,), (0,), (3, 4), (0, 3), (2, 0, 3), (2, 1, 3))
PROGRAMS = (places, places_of_dims, chosen, counted, counted_in_order, ordered, looked_up)
NOT_OF_RANK_0 = (chosen,)
NOT_OF_BOOL = (ordered, looked_up)


def drawn(shape: tuple[int, ...], dtype: torch.dtype) -> Tensor:
    return torch.randint(-2, 3, shape, generator=torch.Generator().manual_seed(1)).to(dtype)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_dtype_and_rank_are_known_where_sizes_are_not(program: Callable[..., Any]) -> None:
    graph = compiled(program)
    for dtype in DTYPES[:-1] if program in NOT_OF_BOOL else DTYPES:
        for shape in SHAPES[1:] if program in NOT_OF_RANK_0 else SHAPES:
            assert compared(graph, (drawn(shape, dtype),)) == [], (dtype, shape)
    assert compared(graph, (drawn((3, 4), torch.float32).requires_grad_(),)) == []


@pytest.mark.parametrize("program", [of_numbers, listed], ids=lambda program: program.__name__)
def test_numbers_that_data_decide_leave_dtype_and_rank(program: Callable[..., Any]) -> None:
    graph = compiled(program)
    for shape, n in itertools.product(SHAPES, (3, 0)):
        rest = (n,) if program is listed else ()
        examples = infer_metadata(graph, (drawn(shape, torch.float32), *rest))
        values = Environment(NO_LAST_USES)
        _run_block(graph.block, [drawn(shape, torch.float32), *rest], values)
        for value, made in values.items():
            if isinstance(made, Tensor):
                meta = examples[value]
                assert (meta.dtype, meta.rank) == (made.dtype, made.dim()), value.node


INDICES = [
    (torch.tensor([True, False, True]),),
    (torch.ones(3, 4, dtype=torch.bool),),
    (torch.ones(3, 4, 2, dtype=torch.bool),),
    (None, torch.ones(4, dtype=torch.bool)),
    (torch.tensor([True, False, True]), None, torch.tensor([0, 1])),
    (torch.tensor([True, False, True]), torch.tensor(1)),
    (None, torch.ones(4, 2, dtype=torch.bool)),
    (torch.tensor([1, 0, 1], dtype=torch.uint8),),
    (torch.tensor([0, 2]),),
    (torch.tensor([[0], [2]]), None, torch.tensor([0, 1])),
]  # fmt: skip


@pytest.mark.parametrize("indices", INDICES, ids=range(len(INDICES)))
def test_masks_and_indices_between_slices(indices: tuple[Tensor | None, ...]) -> None:
    x = torch.rand(3, 4, 2)

    def indexed(x: Tensor, *given: Tensor) -> Tensor:
        left = iter(given)
        return x[tuple([slice(None) if each is None else next(left) for each in indices])]

    given = tuple(each for each in indices if each is not None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of masks of uint8
        graph = clone_graph(minits.trace(indexed, (x, *given), check_trace=False).graph)
        optimize(graph)
        assert compared(graph, (x, *given)) == []


# ---- torch's own samples -------------------------------------------------------------------------

NAMES = frozenset(
    "nonzero argwhere where masked_select unique unique_consecutive bincount repeat_interleave "
    "nn.functional.one_hot combinations argsort sort topk msort kthvalue mode searchsorted "
    "bucketize multinomial histc index_select take take_along_dim nonzero_static diag "
    "__getitem__".split()
)
KNOWN_UNKNOWN = {"mode": "aten::mode has no meta kernel"}


def samples(info: Any) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...]]]:
    for dtype in (torch.float32, torch.int64, torch.bool):
        if dtype not in info.supported_dtypes("cpu"):
            continue
        for sample in list(info.sample_inputs("cpu", dtype))[:24]:
            given = [sample.input, *sample.args]
            if not all(isinstance(each, (Tensor, int, float, bool)) for each in given):
                continue
            tensors = tuple(each for each in given if isinstance(each, Tensor))
            yield bound(info.op, given, sample.kwargs), tensors


def bound(op: Callable[..., Any], given: list[Any], keywords: dict[str, Any]) -> Any:
    """Return a function of the tensors among the arguments of an operator."""

    def call(*tensors: Tensor) -> Any:
        left = iter(tensors)
        filled = [next(left) if isinstance(each, Tensor) else each for each in given]
        found = op(*filled, **keywords)
        return found if isinstance(found, Tensor) else tuple(found)

    return call


INFOS = {
    f"{info.name}-{info.variant_test_name}": info
    for info in torch_database()[0]
    if info.name in NAMES
}


@pytest.mark.one_in(20)
@pytest.mark.parametrize("name", sorted(INFOS))
def test_samples_of_torch(name: str) -> None:
    count = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the tracer, about constants
        for call, tensors in samples(INFOS[name]):
            graph = clone_graph(minits.trace(call, tensors, check_trace=False).graph)
            optimize(graph)
            unknown = compared(graph, tensors)
            assert INFOS[name].name in KNOWN_UNKNOWN or not unknown, [v.node for v in unknown]
            count += 1
    assert count or name.startswith("__getitem__")


# ---- The class of operators ----------------------------------------------------------------------

WITHOUT_RULE = {
    "aten::_ctc_loss": "internal: programs call aten::ctc_loss",
    "aten::linalg_lstsq": "the rank of the residuals depends on data, too",
}


def test_each_operator_that_torch_marks_has_a_rule() -> None:
    marked = set()
    for schema in torch._C._jit_get_all_schemas():
        packet = getattr(torch.ops.aten, schema.name.removeprefix("aten::"), None)
        overload = getattr(packet, schema.overload_name or "default", None)
        if overload is not None and torch.Tag.dynamic_output_shape in overload.tags:
            marked.add(schema.name)
    assert marked - DATA_DEPENDENT.keys() == WITHOUT_RULE.keys()
