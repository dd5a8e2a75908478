"""Compiled functions and modules as Python sees them."""

import types
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import minits
from minits.runtime.argument_faults import ArgumentError
from minits.users_objects import known_info


def add_up(values: list[int], scale: float = 2.0, *, label: str) -> str:
    values.append(1)
    return label + str(float(sum(values)) * scale)


def test_arguments_by_position_keyword_and_default() -> None:
    compiled = minits.script(add_up)
    assert compiled([1, 2], label="x") == "x8."
    assert compiled([1, 2], 3, label="x") == "x12."
    assert compiled(label="y", values=[], scale=0.5) == "y0.5"


def test_lists_are_copied_at_the_border() -> None:
    values = [1, 2]
    minits.script(add_up)(values, label="x")
    assert values == [1, 2]


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((), {"label": "x"}),
        (([1], 2.0, "x"), {}),
        (([1.5],), {"label": "x"}),
        (([1],), {"label": 3}),
        (([1],), {"label": "x", "other": 1}),
        (([1],), {"label": "x", "values": []}),
    ],
)
def test_arguments_that_do_not_fit(args: tuple[object, ...], kwargs: dict[str, object]) -> None:
    with pytest.raises(ArgumentError, match="add_up"):
        minits.script(add_up)(*args, **kwargs)


class Point(NamedTuple):
    x: int
    y: str | None = None


def move(point: Point, n: int) -> Point:
    return Point(point.x + n)


def test_named_tuples_go_in_and_come_out() -> None:
    moved = minits.script(move)(Point(1, "a"), 2)
    assert moved == (3, None)
    assert moved._fields == ("x", "y")


def pick(x: Tensor, mask: Tensor | None, bias: Tensor | None = None) -> Tensor:
    if mask is not None:
        x = x * mask
    if bias is not None:
        x = x + bias
    return x


def test_a_plan_for_each_signature() -> None:
    compiled = minits.script(pick)
    assert compiled.plan_report() == "no plan has been built"
    x = torch.ones(2)
    for mask in (None, x, x):
        for bias in (None, x):
            assert torch.equal(compiled(x, mask, bias), pick(x, mask, bias))
    tensor = "x float32[*] cpu"
    report = compiled.plan_report()
    for mask, bias in ((None, None), (None, x), (x, None), (x, x)):
        state = [f"{name} is {'None' if value is None else 'given'}"
                 for name, value in (("mask", mask), ("bias", bias))]  # fmt: skip
        assert any(line.startswith(", ".join(state)) for line in report.splitlines()), report
    assert tensor in report
    assert report.endswith("hits 2, misses 4, evictions 0")
    assert not any(node.blocks for node in compiled.graph_for(x, None, x).nodes)


class Counter(nn.Module):
    total: int

    def __init__(self) -> None:
        super().__init__()
        self.total = 0
        self.weight = nn.Parameter(torch.ones(2))
        self.register_buffer("seen", torch.zeros(2))
        self.inner = nn.Linear(2, 2)

    def forward(self, x: Tensor) -> Tensor:
        self.total += 1
        self.seen = self.seen + x
        return self.inner(x) * self.weight

    @torch.jit.export
    def reset(self) -> int:
        before = self.total
        self.total = 0
        return before

    @torch.jit.ignore
    def describe(self) -> str:
        return f"called {self.total} times"


def test_modules_keep_state_and_share_parameters() -> None:
    module = Counter()
    compiled = minits.script(module)
    x = torch.tensor([1.0, 2.0])
    assert torch.equal(compiled(x), module.inner(x) * module.weight)
    compiled(x)
    assert compiled.total == 2
    assert compiled.describe() == "called 2 times"
    assert torch.equal(compiled.seen, 2 * x)
    assert compiled.reset() == 2
    assert compiled.total == 0
    assert compiled.weight is module.weight
    assert [name for name, _ in compiled.named_parameters()] == [
        name for name, _ in module.named_parameters()
    ]


def test_gradients_flow_through_compiled_modules() -> None:
    module = Counter()
    minits.script(module)(torch.ones(2)).sum().backward()
    assert module.weight.grad is not None


def test_training_mode_is_seen() -> None:
    compiled = minits.script(nn.Dropout(1.0))
    x = torch.ones(3)
    assert torch.equal(compiled(x), torch.zeros(3))
    compiled.eval()
    assert torch.equal(compiled(x), x)


def test_instances_that_agree_share_one_type() -> None:
    first, second, third = (minits.script(nn.Linear(2, 3)) for _ in range(3))
    assert known_info(first) is known_info(second) is known_info(third)
    other = minits.script(nn.Linear(2, 3, bias=False))
    assert known_info(other) is not known_info(first)


def test_what_is_compiled_is_returned_as_it_is() -> None:
    compiled = minits.script(move)
    assert minits.script(compiled) is compiled


def test_compiled_functions_call_each_other() -> None:
    compiled = minits.script(calls_scripted)
    assert compiled(Point(1), 3) == 7


scripted_move = minits.script(move)


def calls_scripted(point: Point, n: int) -> int:
    return scripted_move(scripted_move(point, n), n).x


def fails(n: int) -> int:
    values = [1, 2, 3]
    return values[n]


def test_tracebacks_show_the_users_line() -> None:
    import traceback

    with pytest.raises(IndexError) as caught:
        minits.script(fails)(7)
    frame = traceback.extract_tb(caught.tb)[-1]
    assert frame.filename == __file__
    assert frame.line == "return values[n]"


def test_other_objects_are_refused() -> None:
    with pytest.raises(minits.CompileError, match="cannot be compiled"):
        minits.script(3)
    with pytest.raises(ValueError, match="dialect"):
        minits.script(move, dialect="klingon")


def test_bytes_that_are_no_text_stay_bytes() -> None:
    def number(text: str) -> int:
        return ord(text)

    compiled = minits.script(number)
    for byte in (b"a", b"\xc2", b"\xff"):
        assert compiled(byte) == torch.jit.script(number)(byte) == byte[0]


class Replaced(nn.Module):
    """Its forward method is an attribute of the object, which nn.Module annotates as a Callable."""

    def __init__(self) -> None:
        super().__init__()
        self.forward = types.MethodType(Replaced.forward, self)

    def forward(self, x: Tensor) -> Tensor:
        return x + 1


def test_a_forward_method_may_be_replaced_in_the_object() -> None:
    x = torch.ones(2)
    assert torch.equal(minits.script(Replaced())(x), torch.jit.script(Replaced())(x))


class HoldsCompiled(nn.Module):
    def __init__(self, held: Any) -> None:
        super().__init__()
        self.held = held

    def forward(self) -> int:
        return len(self.held)


@pytest.mark.parametrize("script", [minits.script, torch.jit.script])
def test_a_list_of_compiled_modules_has_no_type(script: Any) -> None:
    with pytest.raises(RuntimeError, match="has no attribute 'held'"):
        script(HoldsCompiled([script(nn.ReLU())]))


def test_constants_of_modules_are_what_their_classes_derive_from() -> None:
    module = types.ModuleType("settings")
    module.version, module.half = torch.__version__, np.float64(0.5)

    def settings():
        return torch.__version__, module.version, module.half

    for script in (torch.jit.script, minits.script):
        version, same, half = script(settings)()
        assert (type(version), type(same), type(half)) == (str, str, float)
