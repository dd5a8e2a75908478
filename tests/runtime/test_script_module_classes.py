"""Subclasses of `ScriptModule`: each program is run with torch.jit in the place of minits too."""

import copy
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError, NotSupportedError
from minits.ir.canonical import canonicalize
from minits.ir.printer import print_graph
from minits.runtime.module_attributes import AttributeRefused

JIT = SimpleNamespace(
    ScriptModule=torch.jit.ScriptModule,
    script_method=torch.jit.script_method,
    RecursiveScriptModule=torch.jit.RecursiveScriptModule,
    script=torch.jit.script,
)
BOTH = pytest.mark.parametrize("jit", [JIT, minits], ids=["torch", "minits"])


class Scale(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.full((2,), 3.0))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.weight


def layered(jit: Any) -> Any:
    class Layered(jit.ScriptModule):  # type: ignore[misc, name-defined]
        __constants__ = ("count",)

        def __init__(self, count: int) -> None:
            super().__init__()
            self.count = count
            self.sizes = [1, 2]
            self.rate = torch.jit.Attribute(3, float)
            self.scale = Scale()
            self.bias = nn.Parameter(torch.ones(1))
            self.register_buffer("seen", torch.zeros(1))
            self.python_only = object()

        @jit.script_method
        def forward(self, x: Tensor) -> Tensor:
            return self.shifted(x) * self.rate + self.later(x)

        def shifted(self, x: Tensor) -> Tensor:
            return self.scale(x) + self.bias + self.count

        def in_python(self) -> object:
            return self.python_only

        @jit.script_method
        def later(self, x: Tensor) -> Tensor:
            return x.sum() + self.sizes[1]

    return Layered


def test_it_has_torchs_graph_and_results() -> None:
    expected, found = layered(JIT)(2), layered(minits)(2)
    x = torch.tensor([1.0, 2.0])
    assert torch.equal(found(x), expected(x))
    assert found.code == expected.code
    text = print_graph(canonicalize(found.later.graph))
    assert (
        text.split("\n")[1:]
        == str(torch._C._jit_pass_canonicalize(expected.later.graph)).split("\n")[1:]
    )


@BOTH
def test_it_is_an_nn_module_of_its_class(jit: Any) -> None:
    cls = layered(jit)
    module = cls(1)
    assert type(module) is cls
    assert isinstance(module, jit.ScriptModule)
    assert not isinstance(module, jit.RecursiveScriptModule)
    assert isinstance(module.scale, jit.RecursiveScriptModule)
    assert isinstance(jit.script(Scale()), jit.ScriptModule)
    assert jit.script(module) is module
    assert list(module.state_dict()) == ["bias", "seen", "scale.weight"]
    assert [name for name, _ in module.named_modules()] == ["", "scale"]
    assert module.original_name == "Layered"
    assert module.in_python() is module.python_only
    assert (module.rate, module.count) == (3.0, 1)
    assert not module.eval().scale.training
    assert module.double().scale.weight.dtype == torch.double
    assert module.forward.schema is not None and module.later.graph is not None


@BOTH
def test_attributes_keep_their_types(jit: Any) -> None:
    module = layered(jit)(1)
    module.rate = 5
    module.sizes = [7, 8]
    module.note = "Python's own"
    assert (module.rate, module.sizes, module.note) == (5.0, [7, 8], "Python's own")
    for name, value in {
        "rate": "x",
        "sizes": ["x"],
        "bias": 3,
        "count": 2,
        "scale": Scale(),
        "extra": nn.Parameter(torch.ones(1)),
    }.items():
        with pytest.raises(RuntimeError):
            setattr(module, name, value)
    with pytest.raises(RuntimeError):
        del module.bias


def test_compiled_methods_are_listed() -> None:
    assert {"later", "forward", "shifted"} <= set(dir(layered(minits)(1)))


def test_what_is_refused_says_why() -> None:
    module = layered(minits)(1)
    with pytest.raises(AttributeRefused, match=r"'rate' to type float: .* given a str"):
        module.rate = "x"
    with pytest.raises(AttributeRefused, match="not compiled; compile it with"):
        module.scale = Scale()
    with pytest.raises(AttributeRefused, match="is compiled for the one type"):
        module.scale = minits.script(nn.ReLU())
    with pytest.raises(AttributeRefused, match="takes no new buffer"):
        module.register_buffer("more", torch.ones(1))
    with pytest.raises(AttributeRefused, match="is a constant"):
        module.count = 5
    with pytest.raises(AttributeRefused, match="cannot be deleted"):
        del module.sizes


@BOTH
def test_a_compiled_module_of_the_same_type_can_take_a_place(jit: Any) -> None:
    module, other = layered(jit)(1), jit.script(Scale())
    module.scale = other
    assert module.scale is other


@BOTH
def test_inherited_methods_call_those_of_the_subclass(jit: Any) -> None:
    class Base(jit.ScriptModule):  # type: ignore[misc, name-defined]
        @jit.script_method
        def run(self, x: Tensor) -> Tensor:
            return self.step(x)

        @jit.script_method
        def step(self, x: Tensor) -> Tensor:
            return x + 1

    class Derived(Base):
        @jit.script_method
        def step(self, x: Tensor) -> Tensor:
            return x + 2

    one = torch.ones(1)
    assert Base().run(one).item() == 2
    assert Derived().run(one).item() == 3


@BOTH
def test_methods_defined_by_a_text(jit: Any) -> None:
    class Defined(jit.ScriptModule):  # type: ignore[misc, name-defined]
        def __init__(self, number: int) -> None:
            super().__init__()
            self.define(f"def step(self, x):\n    return x + {number}\n")

        @jit.script_method
        def forward(self, x: Tensor) -> Tensor:
            return self.step(x)

    one = torch.ones(1)
    module = Defined(1)
    assert module(one).item() == 2
    assert Defined(2)(one).item() == 3  # a type of its own
    module.define(
        """
        def twice(self, x):
            return self.once(self.forward(x))
        def once(self, x: Tensor) -> Tensor:
            return x + 10
        """
    )
    assert module.twice(one).item() == 12
    compiled = jit.script(Scale())
    compiled.define("def moved(self, x):\n    return add_ten(self.forward(x))\n")
    assert compiled.moved(one).tolist() == [13, 13]


def add_ten(x: Tensor) -> Tensor:
    return x + 10


def test_faults_of_a_text() -> None:
    module = layered(minits)(1)
    with pytest.raises(
        CompileError, match=r"no attribute 'nowhere'.*\n  File \"<string>\", line 2"
    ):
        module.define("def wrong(self, x):\n    return self.nowhere\n")
    with pytest.raises(CompileError, match="TS615"):
        module.define("def later(self, x):\n    return x\n")
    with pytest.raises(CompileError, match="TS012"):
        module.define("later = 3\n")
    with pytest.raises(CompileError, match="TS005"):
        module.define("  def more(self, x):\n    return x\nreturn 3\n")
    assert "wrong" not in module.method_names() and "more" not in module.method_names()


@BOTH
def test_names_of_comments_are_those_around_the_class(jit: Any) -> None:
    Local = Tensor

    class Commented(jit.ScriptModule):  # type: ignore[misc, name-defined]
        @jit.script_method
        def forward(self, x):  # type: ignore[no-untyped-def]
            # type: (Local) -> Local
            return x[0]

    assert Commented()(torch.ones(2)).item() == 1
    assert Local is Tensor


@BOTH
def test_syntax_is_refused_where_the_class_is_defined(jit: Any) -> None:
    with pytest.raises((NotSupportedError, torch.jit.frontend.NotSupportedError)):

        class Refused(jit.ScriptModule):  # type: ignore[misc, name-defined]
            @jit.script_method
            def forward(self, x: Tensor) -> Tensor:
                import math

                return x * math.pi


@BOTH
def test_scripted_modules_stay_what_they_are_inside_others(jit: Any) -> None:
    class Outer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = layered(jit)(1)
            self.second = self.first

        def forward(self, x: Tensor) -> Tensor:
            return self.first(x) + self.second.later(x)

    outer = Outer()
    compiled = jit.script(outer)
    assert compiled.first is outer.first is compiled.second
    x = torch.ones(2)
    assert torch.equal(compiled(x), outer(x))


def test_copies() -> None:
    module = layered(minits)(1)
    x = torch.ones(2)
    same, other = copy.copy(module), copy.deepcopy(module)
    assert type(same) is type(other) is type(module)
    assert same.bias is module.bias and other.bias is not module.bias
    with torch.no_grad():
        module.bias += 1
        module.scale.weight += 1
    assert torch.equal(same(x), module(x))
    assert not torch.equal(other(x), module(x))
    same.rate = 0.0
    assert module.rate == 3.0


def test_what_stays_python_is_bound_to_the_copy() -> None:
    class Counting(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", torch.zeros(1))

        @torch.jit.ignore
        def note(self, x: Tensor) -> Tensor:
            self.count = x
            return x

        def forward(self, x: Tensor) -> Tensor:
            return self.note(x)

    module = minits.script(Counting())
    for made in (copy.copy(module), copy.deepcopy(module)):
        made(torch.full((1,), 5.0))
        assert (made.count.item(), module.count.item()) == (5, 0)


@BOTH
def test_not_initialized_and_without_forward(jit: Any) -> None:
    class Forgetful(jit.ScriptModule):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            pass

    with pytest.raises((CompileError, RuntimeError), match="initialized"):
        Forgetful()
    with pytest.raises(RuntimeError, match="forward"):
        jit.ScriptModule().graph
    with pytest.raises(AttributeError, match="forward"):
        jit.ScriptModule()(1)


def test_lists_of_the_original_are_copied() -> None:
    class Listing(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.values = [1]

        def forward(self) -> list[int]:
            self.values.append(2)
            return self.values

    original = Listing()
    assert minits.script(original)() == [1, 2]
    assert original.values == [1]


@BOTH
def test_a_plain_module_can_have_script_methods(jit: Any) -> None:
    class Plain(nn.Module):
        @jit.script_method
        def forward(self, x: Tensor) -> Tensor:
            return x / 2 + 1

    assert jit.script(Plain())(torch.ones(1)).item() == 1.5


@BOTH
def test_constants_of_the_code(jit: Any) -> None:
    @jit.script  # type: ignore[untyped-decorator]
    def same(x: Tensor = torch.full((2,), 3.0)) -> Tensor:
        return x

    class Constant(nn.Module):
        def forward(self) -> Tensor:
            return same()

    code, constants = jit.script(Constant()).code_with_constants
    assert "CONSTANTS.c0" in code
    assert constants.c0.tolist() == [3, 3]


def test_exported_methods_of_nn_module_are_called_by_it() -> None:
    class Custom(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.was_saved = False

        def forward(self, x: Tensor) -> Tensor:
            return x

        @torch.jit.export
        def _save_to_state_dict(
            self, destination: dict[str, Tensor], prefix: str, keep_vars: bool
        ) -> None:
            self.was_saved = True

    first = minits.script(Custom())
    second = copy.deepcopy(first)
    second.state_dict()
    assert (first.was_saved, second.was_saved) == (False, True)


@BOTH
def test_containers_from_python(jit: Any) -> None:
    class Holder(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Tanh()})
            self.row = nn.ModuleList([nn.ReLU(), nn.Tanh()])

        def forward(self, x: Tensor) -> Tensor:
            return self.row[1](self.table["a"](x))

    holder = jit.script(Holder())
    assert list(holder.table) == ["a", "b"]
    assert ("a" in holder.table, "c" in holder.table) == (True, False)
    assert (len(holder.table), len(holder.row), len(list(holder.row))) == (2, 2, 2)
    if jit is minits:
        assert list(holder.table.keys()) == [name for name, _ in holder.table.items()]
