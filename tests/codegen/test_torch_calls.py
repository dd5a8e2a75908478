"""Bindings against operators: a call that generated code writes has to be the node's own operator.

Every overload that has a binding is called both ways, on a few tensors and numbers.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
import torch

import minits
from minits.codegen.python import compile_graph, python_source
from minits.codegen.torch_calls import torch_call
from minits.ir.constants import insert_constant
from minits.ir.graph import Graph, Node
from minits.ops.evaluate import evaluator_for, is_python
from minits.ops.registry import schemas_for
from minits.ops.schema import Schema
from minits.types import types as t
from tests.support.agreement import comparable

_LEFT_OUT = "empty lstsq _cudnn _nnpack mkldnn quantize fbgemm _mps _sparse miopen".split()
"""Not defined by their arguments, exact to the last digit, or at all in a build for CPU."""


def _values(schema: Schema) -> Iterator[list[Any]]:
    """Lists of arguments to try; those that the operator refuses do not count."""
    for size in ((2, 3), (3, 3), (2, 2, 4)):
        for dtype in (torch.float32, torch.int64, torch.bool):
            for number in (1, 0):
                yield [
                    _value(a.type, a.real_type or "", size, dtype, number) for a in schema.arguments
                ]


def _value(type: t.Type, real: str, size: Any, dtype: Any, number: int) -> Any:
    if real.startswith("Optional["):
        return None if number else _value(type, real[9:-1], size, dtype, number)
    match real:
        case "Tensor":
            return (torch.arange(1, 1 + 3 * 3 * 4)[: _count(size)].reshape(size) % 5).to(dtype)
        case "List[Tensor]":
            return [_value(type, "Tensor", size, dtype, number), torch.ones(size).to(dtype)]
        case "List[int]":
            return [number]
        case "List[float]" | "List[number]":
            return [0.5]
        case "List[bool]":
            return [True]
        case "number":
            return 2 if dtype != torch.float32 else 0.5
        case "float":
            return 0.5
        case "bool":
            return bool(number)
        case "str":
            return "mean"
        case "ScalarType":
            return 6
        case "Device":
            return torch.device("cpu")
    return number


def _count(size: tuple[int, ...]) -> int:
    count = 1
    for length in size:
        count *= length
    return count


def _node(schema: Schema, values: list[Any]) -> tuple[Graph, Node]:
    """A graph of the node: tensors are inputs, the rest are constants."""
    graph = Graph()
    inputs = []
    for argument, value in zip(schema.arguments, values, strict=True):
        if isinstance(value, torch.Tensor) or argument.real_type == "List[Tensor]":
            inputs.append(graph.add_input(None, argument.type))
        else:
            inputs.append(insert_constant(graph, value, None if value is None else argument.type))
    node = graph.emit(schema.name, inputs, [r.type for r in schema.returns])
    for output in node.outputs:
        graph.block.add_output(output)
    return graph, node


def _with_binding() -> list[Schema]:
    names = dict.fromkeys(schema.name for schema in torch._C._jit_get_all_schemas())
    found = []
    for name in names:
        if not name.startswith("aten::") or name.startswith("aten::_"):
            continue  # those that begin with _ may trust their arguments, and end the process
        if any(word in name for word in _LEFT_OUT):
            continue
        for schema in schemas_for(name):
            tensors = [a for a in schema.arguments if "Tensor" in str(a.type)]
            if not is_python(schema) and tensors and not schema.is_vararg and schema.returns:
                found.append(schema)
    return found


def _run(function: Any, arguments: list[Any]) -> Any:
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments)


def _copies(values: list[Any]) -> list[Any]:
    return [
        v.clone() if isinstance(v, torch.Tensor) else list(v) if isinstance(v, list) else v
        for v in values
    ]


def _differences(
    schema: Schema,
    given: Iterable[list[Any]],
    prepared: Callable[[list[Any]], list[Any]],
    shown: Callable[[Any], Any],
) -> Iterator[str]:
    """What a binding shows otherwise than its operator, called with `prepared` arguments."""
    for values in given:
        graph, node = _node(schema, values)
        if torch_call(node, schema) is None:
            return
        try:
            expected = shown(_run(evaluator_for(schema), prepared(values)))
        except Exception:
            continue
        inputs = [v for v, a in zip(prepared(values), schema.arguments, strict=True)
                  if isinstance(v, torch.Tensor) or a.real_type == "List[Tensor]"]  # fmt: skip
        try:
            found = shown(_run(compile_graph(graph), inputs))
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        if found != expected:
            yield f"{schema}\n  {values}\n  found {found}\n  expected {expected}"


@pytest.mark.slow
def test_bindings_are_the_operators() -> None:
    wrong = [
        next(_differences(schema, _values(schema), _copies, comparable), None)
        for schema in _with_binding()
    ]
    assert not [text for text in wrong if text]


def _tracked(value: Any) -> Any:
    """A value whose float tensors lead to a leaf that wants gradients."""
    if isinstance(value, list):
        return [_tracked(item) for item in value]
    is_float = isinstance(value, torch.Tensor) and value.is_floating_point()
    return value.clone().requires_grad_().clone() if is_float else value


def _tracked_copies(values: list[Any]) -> list[Any]:
    return [_tracked(value) for value in _copies(values)]


def _require_gradients(result: Any) -> list[bool]:
    results = result if isinstance(result, (list, tuple)) else [result]
    return [each.requires_grad for each in results if isinstance(each, torch.Tensor)]


def _tracked_values(schema: Schema) -> Iterator[list[Any]]:
    """Lists of arguments with float tensors, some of them for the factories of tensors like one."""
    for size in ((2, 3), ()):
        for number in (1, 4):
            yield [
                _value(a.type, a.real_type or "", size, torch.float32, number + (a.name == "high"))
                for a in schema.arguments
            ]


@pytest.mark.slow
def test_results_of_bindings_require_gradients_as_those_of_operators() -> None:
    wrong = [
        next(
            _differences(schema, _tracked_values(schema), _tracked_copies, _require_gradients), None
        )
        for schema in _with_binding()
    ]
    assert not [text for text in wrong if text]


def test_factories_with_tensors_are_torchs() -> None:
    def drawn(x: torch.Tensor):
        return torch.randint_like(x, 2, 10), torch.randint_like(x, 10)

    def spread(x: torch.Tensor, y: torch.Tensor):
        return torch.linspace(x, y, 3), torch.linspace(0, y, 3), torch.logspace(x, 2, 3)

    for program, count in ((drawn, 1), (spread, 2)):
        for _ in range(2):
            given = [_tracked(torch.tensor(1.5)) for _ in range(count)]
            assert _require_gradients(minits.script(program)(*given)) == [
                each.requires_grad for each in torch.jit.script(program)(*given)
            ]


def test_an_empty_list_of_tensors_is_none_of_numbers() -> None:
    """Bindings of some take it for numbers, of which they read one that is not there."""
    names = [
        f"_foreach_{name}{mark}"
        for name in "add sub mul div pow maximum minimum clamp_min clamp_max".split()
        for mark in ("", "_")
    ]
    for name in names:
        (schema,) = [each for each in schemas_for(f"aten::{name}") if each.overload == "List"]
        graph, _ = _node(schema, [[torch.ones(3)], [], 1][: len(schema.arguments)])
        with pytest.raises(RuntimeError) as found:
            compile_graph(graph)([torch.ones(3)], [])
        with pytest.raises(RuntimeError) as expected:
            getattr(torch.ops.aten, name).List([torch.ones(3)], [])
        assert str(found.value) == str(expected.value), name


def of_no_dtype(x: torch.Tensor) -> torch.Tensor:
    return torch.ops.aten.zeros_like(x, dtype=99)


def of_no_layout(x: torch.Tensor) -> torch.Tensor:
    return torch.ops.aten.zeros_like(x, layout=12)


def of_no_memory_format(x: torch.Tensor) -> torch.Tensor:
    return torch.ops.aten.zeros_like(x, memory_format=7)


@pytest.mark.parametrize("program", [of_no_dtype, of_no_layout, of_no_memory_format])
def test_a_number_that_stands_for_nothing_goes_to_the_operator(program: Any) -> None:
    found = []
    for script in (minits.script, torch.jit.script):
        try:
            found.append(script(program)(torch.ones(2)).tolist())
        except RuntimeError as error:
            found.append(str(error).strip().splitlines()[-1])
    assert found[0] == found[1]


def to_dtype_of(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x.to(y.dtype)


def to_dtype(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x.to(torch.float64, copy=True)


def to_device(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x.to(y.device, torch.float32)


def to_other(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x.to(y)


def to_float(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x.float()


@pytest.mark.parametrize("program", [to_dtype_of, to_dtype, to_device, to_other, to_float])
def test_casts_warn_in_python(program: Any) -> None:
    script, y = minits.script(program), torch.ones(3)
    x, warns = torch.ones(3, dtype=torch.complex64), torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with pytest.warns(UserWarning, match="discards the imaginary part"):
            found = script(x, y)
        with pytest.warns(UserWarning, match="discards the imaginary part"):
            wanted = program(x, y)
    finally:
        torch.set_warn_always(warns)
    assert torch.equal(found, wanted)
    assert found.dtype == wanted.dtype
    assert script(y, y).data_ptr() == y.data_ptr() or program is to_dtype


def twice_by_bytes(x: torch.Tensor, mask: torch.Tensor):
    return x[mask], torch.neg(x)[mask]


def test_operators_without_a_binding_warn_in_python() -> None:
    """Each operator warns once in a call, as in torch.jit."""
    x, mask = torch.arange(3.0), torch.tensor([1, 0, 1], dtype=torch.uint8)
    ours, theirs = minits.script(twice_by_bytes), torch.jit.script(twice_by_bytes)
    for _ in range(2):
        assert len(_warned(theirs, x, mask)) == 2
        assert _warned(ours, x, mask) == _warned(theirs, x, mask)


def _warned(function: Any, *arguments: Any) -> list[str]:
    warns = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function(*arguments)
    finally:
        torch.set_warn_always(warns)
    return [str(each.message) for each in caught]


def test_indices_with_none_go_through_the_operator_and_others_through_the_binding() -> None:
    def put(y: torch.Tensor, mask: torch.Tensor, i: torch.Tensor, v: torch.Tensor):
        y[mask] = 0.0
        y[:, i] = v
        y.index_put_([i, i], v, accumulate=True)
        return torch.index_put(y, [i], v), y

    ours, theirs = minits.script(put), torch.jit.script(put)
    text = python_source(ours.graph, "put")
    assert "torch_index_put_(y, v" in text
    assert "[None, i], v, False)" in text
    y, mask = torch.rand(4, 4), torch.rand(4, 4) > 0.5
    for _ in range(2):
        results = [
            f(y.clone(), mask, torch.tensor([1, 2]), torch.tensor(2.0)) for f in (ours, theirs)
        ]
        for mine, other in zip(*results, strict=True):
            assert torch.equal(mine, other)


def test_results_of_out_are_that_argument() -> None:
    def into(x: torch.Tensor, total: torch.Tensor, mask: torch.Tensor):
        a = torch.addcmul(x, x, x, value=2, out=x)
        b = torch.sum(x, -1, keepdim=True, out=total)
        c = torch.lt(total, 1.0, out=mask)
        return a, b, c

    compiled = minits.script(into)
    assert "torch_addcmul(x, x, x, value=2, out=x)" in python_source(compiled.graph, "into")
    for _ in range(3):
        given = torch.rand(2, 3), torch.empty(2, 1), torch.empty(2, 1, dtype=torch.bool)
        assert all(result is each for result, each in zip(compiled(*given), given, strict=True))
        with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
            compiled(given[0].requires_grad_(), *given[1:])
