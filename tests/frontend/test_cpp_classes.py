# ruff: noqa: UP006, UP035, UP045  # classes of C++ do not know the operator |
"""Classes that libraries register with `torch::class_`: graphs, results and refusals of torch."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Dict, List, Optional

import pytest
import torch

import minits
from minits.runtime import interpreter
from tests.support.control_flow import load
from tests.support.cpp_classes import Maker, needs_library, shown

pytestmark = needs_library

T = torch.classes._TorchScriptTesting
Stack = T._StackString


def check_agrees(program: Any, arguments: Callable[[], tuple[Any, ...]] = tuple) -> None:
    """Check the graph, the code and the results, of three calls and of the interpreter."""
    ours, theirs = minits.script(program), torch.jit.script(program)
    assert str(ours.graph) == str(theirs.graph)
    assert str(ours.inlined_graph) == str(theirs.inlined_graph)
    assert ours.code == theirs.code
    expected = shown(theirs(*arguments()))
    for _ in range(3):
        assert shown(ours(*arguments())) == expected
    assert shown(interpreter.run(ours.graph, *arguments())) == expected


def makes_and_calls():
    pair = T._Foo(5, 3)
    pair.increment(1)
    return pair, pair.info()


def makes_in_a_loop(n: int):
    pair = T._Foo(1, 2)
    for i in range(n):
        pair = T._Foo(pair.info(), i)
        other = T._Foo(i, pair.info())
        if i % 2 == 0:
            pair = other
    return pair.info()


def makes_anew_in_its_place():
    pair = T._Foo(1, 2)
    alias = pair
    pair.__init__(pair.info(), 3)
    return alias.info()


def reads_and_writes_properties():
    pair = T._FooGetterSetter(5, 6)
    old = pair.x
    pair.x = old + 4
    return old, pair.x, pair.y


def has_defaults():
    counter = T._DefaultArgs()
    counter.decrement()
    return counter.scale_add(3, scale=2), T._DefaultArgs(7).divide()


def calls_a_static_method(n: int) -> int:
    return T._StaticMethod.staticMethod(n) + torch.classes._TorchScriptTesting._StaticMethod.staticMethod(2)  # noqa: E501  # fmt: skip


def calls_an_object(x: torch.Tensor):
    machine = T._ElementwiseInterpreter()
    machine.add_constant("c", x)
    machine.set_input_names(["x"])
    machine.set_output_name("y")
    machine.set_instructions([("add", ["x", "c"], "y")])
    return machine([x])


def in_containers(pair: T._Foo):
    pairs: List[T._Foo] = [pair, T._Foo(1, 1)]
    named: Dict[str, T._Foo] = {"a": pair}
    pairs[1].increment(2)
    return pairs, named, (pair, 1), [each.info() for each in pairs]


def compares(one: T._Foo, other: T._Foo):
    return one == other, isinstance(one, T._Foo), one is other, hasattr(one, "info")


def is_annotated(stack: Stack, other: Optional[Stack] = None):
    stack.push("c")
    if other is not None:
        stack.merge(other)
    return stack.pop()


def writes_between(x: torch.Tensor):
    queue = T._TensorQueue(x)
    queue.push(x)
    x.add_(1)
    y = torch.relu(queue.pop() * 2)
    return y, queue.size()


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        (makes_and_calls, tuple),
        (makes_in_a_loop, lambda: (5,)),
        (makes_anew_in_its_place, tuple),
        (reads_and_writes_properties, tuple),
        (has_defaults, tuple),
        (calls_a_static_method, lambda: (3,)),
        (calls_an_object, lambda: (torch.ones(2),)),
        (in_containers, lambda: (T._Foo(4, 5),)),
        (compares, lambda: (T._Foo(1, 2), T._Foo(2, 1))),
        (is_annotated, lambda: (Stack(["a"]), None)),
        (is_annotated, lambda: (Stack(["a"]), Stack(["b"]))),
        (writes_between, lambda: (torch.ones(2),)),
    ],
)
def test_agrees_with_torch(program: Any, arguments: Callable[[], tuple[Any, ...]]) -> None:
    check_agrees(program, arguments)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", range(60))
def test_random_programs_agree_with_torch(seed: int, tmp_path: Path) -> None:
    path = tmp_path / f"cpp_program_{seed}.py"
    path.write_text(Maker(seed).source())
    check_agrees(load(path).f, lambda: (seed - 20,))


class Holder(torch.nn.Module):
    stack: Optional[torch.classes._TorchScriptTesting._StackString]

    def __init__(self) -> None:
        super().__init__()
        self.stack = Stack(["test"])
        self.numbers = T._PickleTester([3, 4, 5, 6, 7])

    def forward(self, last: bool):
        found = self.stack
        if found is not None and last:
            return found.top(), self.numbers.pop()
        return "", self.numbers.top()


def test_an_object_is_an_attribute() -> None:
    ours, theirs = minits.script(Holder()), torch.jit.script(Holder())
    assert str(ours.graph) == str(theirs.graph)
    assert [ours(i % 2 == 0) for i in range(4)] == [theirs(i % 2 == 0) for i in range(4)]


def refused(program: Any, code: str, match: str, fix: str) -> None:
    with pytest.raises(RuntimeError):
        torch.jit.script(program)
    with pytest.raises(minits.CompileError, match=match) as caught:
        minits.script(program)
    assert f"[{code}]" in str(caught.value)
    assert fix in str(caught.value)


def writes_what_is_read_only():
    pair = T._FooGetterSetter(5, 6)
    pair.y = 4


def makes_what_has_no_constructor():
    return T._NoInit()


def gives_too_little():
    return T._Foo(1)


def calls_no_method():
    T._Foo(1, 2).add_all(3)


def names_no_class():
    return torch.classes._TorchScriptTesting._Nothing(1)


def names_no_static_method():
    return T._StaticMethod.nothing(1)


def gives_the_class_away():
    return T._Foo


def writes_no_property(pair: T._Foo):
    pair.info = 3


@pytest.mark.parametrize(
    ("program", "code", "match", "fix"),
    [
        (writes_what_is_read_only, "TS602", "Tried to set read-only attribute: y", "def_property"),
        (makes_what_has_no_constructor, "TS606", "does not have an __init__", "torch::init"),
        (gives_too_little, "TS402", "Argument _2 not provided", ""),
        (calls_no_method, "TS302", "no attribute or method 'add_all'", "its methods are"),
        (names_no_class, "TS302", "object has no attribute _Nothing", "torch.ops.load_library"),
        (names_no_static_method, "TS302", "Tried to lookup unknown attribute on class", ""),
        (gives_the_class_away, "TS301", "cannot be used as a value", "call it"),
        (writes_no_property, "TS603", "Tried to set nonexistent attribute: info", "registers"),
    ],
)
def test_is_refused_as_by_torch(program: Any, code: str, match: str, fix: str) -> None:
    refused(program, code, match, fix)


def test_an_error_of_cpp_has_the_line_of_the_program() -> None:
    def program(stack: Stack):
        return T._ElementwiseInterpreter()([torch.ones(2)])

    ours = minits.script(program)
    for _ in range(3):
        with pytest.raises(RuntimeError) as caught:
            ours(Stack(["a"]))
        assert any("in program" in str(line) for line in caught.traceback) or "program" in str(
            caught.value
        )


def test_without_a_first_call_of_init_there_is_no_object() -> None:
    """Only a text can ask for one: torch.jit makes an object without a value, which may crash."""
    from minits.ir.graph import Graph
    from minits.types import types as t

    graph = Graph()
    made = graph.emit("prim::CreateObject", [], [t.bound_class(f"{_CLASSES}._Foo")]).output
    graph.block.add_output(made)
    with pytest.raises(RuntimeError, match="used before its __init__ is called"):
        interpreter.run(graph)


_CLASSES = "__torch__.torch.classes._TorchScriptTesting"
