"""`minits.trace` of functions: results, options, and what it leaves behind."""

from __future__ import annotations

import copy
import inspect
import threading
import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch

import minits
from minits.tracing_state import TRACING


def doubled(x: torch.Tensor) -> torch.Tensor:
    return x * 2 + x.shape[0]


def test_a_trace_runs_for_other_sizes() -> None:
    traced = minits.trace(doubled, torch.ones(3))
    for size in (1, 3, 5):
        for _ in range(3):  # as written, by a plan, and by what is remembered of it
            assert torch.equal(traced(torch.ones(size)), torch.full((size,), 2.0 + size))


def test_methods_of_tensors_and_the_answers_of_torch_are_as_before() -> None:
    before = {name: getattr(torch.Tensor, name) for name in ("shape", "size", "__len__", "item")}
    own = set(vars(torch.Tensor))
    call = minits.ScriptFunction.__call__

    def fails(x: torch.Tensor) -> torch.Tensor:
        assert torch.jit.is_tracing() and minits.is_tracing()
        assert isinstance(x.shape, torch.Size)
        raise ValueError("out of this")

    with pytest.raises(ValueError, match="out of this"):
        minits.trace(fails, torch.ones(2))
    assert {name: getattr(torch.Tensor, name) for name in before} == before
    assert set(vars(torch.Tensor)) == own
    assert minits.ScriptFunction.__call__ is call
    assert TRACING.recorder is None
    assert not torch.jit.is_tracing() and not minits.is_tracing()
    assert type(torch.ones(2).shape) is torch.Size


def test_other_threads_are_not_recorded() -> None:
    seen: list[Any] = []

    def elsewhere() -> None:
        x = torch.ones(3)
        seen.append((type(x.shape), len(x), int(x[0]), torch.jit.is_tracing(), (x + 1).tolist()))

    def program(x: torch.Tensor) -> torch.Tensor:
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        return x + 1

    traced = minits.trace(program, torch.ones(2), check_trace=False)
    assert seen == [(torch.Size, 3, 1, False, [2.0, 2.0, 2.0])]
    assert [node.kind for node in traced.graph.nodes] == ["prim::Constant"] * 2 + ["aten::add"]


def test_keyword_inputs_are_in_the_order_of_the_parameters() -> None:
    def program(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        return x - y * z

    one, two, three = (torch.tensor(number) for number in (1.0, 2.0, 3.0))
    traced = minits.trace(program, example_kwarg_inputs={"z": three, "x": one, "y": two})
    assert [value.name for value in traced.graph.inputs] == ["x", "y", "z"]
    assert traced(y=two, x=one, z=three) == -5
    with pytest.raises(NameError, match="'w' is no parameter"):
        minits.trace(program, example_kwarg_inputs={"w": one})


def test_control_flow_of_a_script_is_kept() -> None:
    @minits.script
    def clipped(x, most: int):
        if bool(x.sum() > most):
            return x * 0
        return x

    def program(x: torch.Tensor) -> torch.Tensor:
        return clipped(x, 3) + 1

    traced = minits.trace(program, torch.ones(2))
    assert "prim::CallFunction" in str(traced.graph)
    assert traced(torch.ones(2)).tolist() == [2, 2]
    assert traced(torch.ones(9)).tolist() == [1] * 9


def test_a_script_calls_a_trace() -> None:
    traced = minits.trace(doubled, torch.ones(3))

    @minits.script
    def program(x):
        return traced(x) - 1

    assert "prim::CallFunction" in str(program.graph)
    assert program(torch.ones(4)).tolist() == [5.0] * 4


def test_gradients_flow_through_a_trace() -> None:
    traced = minits.trace(doubled, torch.ones(3))
    x = torch.ones(4, requires_grad=True)
    traced(x).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [2.0] * 4


def test_a_graph_with_notes_is_read_back() -> None:
    from minits.ir.parser import parse_graph

    traced = minits.trace(torch.nn.Linear(2, 2), torch.ones(1, 2))
    text = str(traced.graph)
    assert "requires_grad=1, device=cpu) = aten::linear" in text
    assert [node.kind for node in parse_graph(text).nodes] == [
        node.kind for node in traced.graph.nodes
    ]


def test_jit_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINITS_JIT", "0")
    assert minits.trace(doubled, torch.ones(2)) is doubled


def test_a_number_that_an_operator_reads_is_a_value() -> None:
    def program(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        n = x.size(0)
        return torch.chunk(x, n - 1)[0], torch.linspace(0, 1, n), x.softmax(n - 2)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        traced = minits.trace(program, torch.ones(3, 4))
    assert [node.kind for node in traced.graph.nodes].count("aten::Int") == 3
    with pytest.warns(minits.TracerWarning, match="a Python index") as told:
        minits.trace(lambda x: sum(x[k] for k in range(x.size(0))), torch.ones(3, 4))
    assert {warning.filename for warning in told} == {__file__}


def test_nested_inputs_are_unpacked_in_order() -> None:
    def program(named: dict[str, list[torch.Tensor]], pair: Any) -> torch.Tensor:
        return named["a"][0] - named["b"][0] * pair[1][0]

    x, y, z = (torch.full((2,), number) for number in (5.0, 2.0, 3.0))
    example = ({"a": [x], "b": [y]}, (x, (z,)))
    traced = minits.trace(program, example)
    assert traced(*example).tolist() == [-1.0, -1.0]
    other = ({"b": [z], "a": [x]}, (x, (y,)))
    assert traced(*other).tolist() == [-1.0, -1.0]


def test_threads_trace_one_after_another() -> None:
    seen: dict[int, int] = {}

    def work(times: int) -> None:
        def program(x: torch.Tensor) -> torch.Tensor:
            for _ in range(times):
                x = x.sin() + x.size(0)
            return x

        traced = minits.trace(program, torch.ones(3), check_trace=False)
        seen[times] = sum(node.kind == "aten::sin" for node in traced.graph.nodes)

    threads = [threading.Thread(target=work, args=(times,)) for times in range(1, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {times: times for times in range(1, 6)}


def test_a_trace_is_called_within_autocast() -> None:
    traced = minits.trace(lambda x, y: x @ y, (torch.ones(2, 2), torch.ones(2, 2)))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert traced(torch.ones(2, 2), torch.ones(2, 2)).dtype == torch.bfloat16
    assert traced(torch.ones(2, 2), torch.ones(2, 2)).dtype == torch.float32


def test_parameters_that_autocast_converted_before_are_converted_anew() -> None:
    torch.manual_seed(
        0
    )  # with other numbers the sum may be near zero, and a rounding be much of it
    net, x = torch.nn.Linear(2, 2), torch.ones(2, 2)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        net(x)
        traced = minits.trace(net, x)
        net(x).float().sum().backward()
    assert net.weight.grad is not None
    kinds = [node.kind for node in traced.graph.nodes]
    assert kinds.count("aten::to") == 3 and kinds[-1] == "aten::linear"
    expected = x.bfloat16() @ net.weight.bfloat16().t() + net.bias.bfloat16()
    torch.testing.assert_close(traced(x), expected)


def test_autocast_converts_arguments_that_are_sizes_of_the_trace() -> None:
    def program(x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return torch.baddbmm(x, x.view(1, x.shape[1], -1), x)

    traced = minits.trace(program, torch.ones(1, 2, 2))
    assert traced(torch.ones(1, 3, 3)).tolist() == [[[4.0] * 3] * 3]


TRANSFORMED: list[Callable[[torch.Tensor], Any]] = [
    lambda x: torch.func.vmap(lambda row: row.sum() * 2)(x),
    lambda x: torch.func.grad(lambda y: (y * y).sum())(x),
    lambda x: torch.func.jvp(torch.sin, (x,), (x,)),
]


@pytest.mark.parametrize("program", TRANSFORMED)
def test_transforms_are_refused(program: Callable[[torch.Tensor], Any]) -> None:
    with pytest.raises(minits.CompileError, match=r"torch.func \(vmap, grad, jvp, ...\) is active"):
        minits.trace(program, torch.ones(2, 3))


def test_a_trace_is_transformed() -> None:
    traced = minits.trace(lambda row: row.sum() * 2, torch.ones(3))
    assert torch.func.vmap(traced)(torch.ones(2, 3)).tolist() == [6, 6]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_by_storage_are_refused(copied: Callable[[Any], Any]) -> None:
    with pytest.raises(minits.CompileError, match="copy tensors by clone"):
        minits.trace(lambda x: copied(x) + 1, torch.ones(2))


def test_results_of_several_types_are_refused() -> None:
    for program in (lambda x: {"a": x, "b": {"c": x}}, lambda x: [x, (x, x)]):
        with pytest.raises(minits.CompileError, match="of a trace have one type: found Tensor and"):
            minits.trace(program, torch.ones(2), strict=False)


def test_sizes_in_literals_are_told_to_be_baked_in() -> None:
    with pytest.warns(minits.TracerWarning, match="used as a Python index"):
        minits.trace(lambda x: torch.tensor([x.shape[0], 2]) * 1, torch.ones(2))


def test_arguments_are_in_the_order_of_those_of_torch_jit() -> None:
    names = ("trace", "trace_module")
    for ours, theirs in ((getattr(jit, name) for jit in (minits, torch.jit)) for name in names):
        assert list(inspect.signature(ours).parameters) == list(
            inspect.signature(theirs).parameters
        )
    traced = minits.trace(doubled, torch.ones(2), None, True, None, 1e-5, True, True, None)
    assert torch.equal(traced(torch.ones(1)), torch.full((1,), 3.0))
    with pytest.raises(TypeError, match="_module_class"):
        minits.trace(torch.nn.ReLU(), torch.ones(2), _module_class=torch.nn.Module)  # type: ignore[arg-type]
