"""Modules and functions of torch.jit within programs of minits: `runtime/taken_over.py`."""

from __future__ import annotations

import copy
import gc
import io
import weakref
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits import CompileError
from minits.compilation_state import STATE

pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")


class Net(nn.Module):
    """A module with a buffer, tensors in containers, a flag, a number and a second method."""

    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.register_buffer("seen", torch.zeros(2))
        self.scales = [torch.ones(2), torch.full((2,), 2.0)]
        self.table = {"a": torch.ones(1)}
        self.name = "net"
        self.factor = 3

    def forward(self, x: Tensor) -> Tensor:
        self.seen += x.mean(0)
        y = self.lin(x) * self.factor
        for scale in self.scales:
            y = y * scale
        if self.training:
            y = y + 1
        return y + self.table["a"]

    @torch.jit.export
    def halved(self, x: Tensor, by: int = 2) -> Tensor:
        return self.lin(x) / by


def scripted() -> Any:
    return torch.jit.script(Net())


def loaded() -> Any:
    buffer = io.BytesIO()
    torch.jit.save(scripted(), buffer)
    buffer.seek(0)
    return torch.jit.load(buffer)


def traced() -> Any:
    return torch.jit.trace(nn.Sequential(nn.Linear(2, 2), nn.ReLU()), torch.ones(1, 2))


class OfMethods(torch.jit.ScriptModule):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))

    @torch.jit.script_method
    def forward(self, x: Tensor) -> Tensor:
        return x * self.weight


MODULES = {"scripted": scripted, "loaded": loaded, "traced": traced, "of methods": OfMethods}
X = torch.tensor([[1.0, -2.0], [0.5, 3.0]])


class Holder(nn.Module):
    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner
        self.both = nn.ModuleList([inner, inner])

    def forward(self, x: Tensor) -> Tensor:
        for each in self.both:
            x = each(x)
        return self.inner(x)


@pytest.mark.parametrize("kind", MODULES)
def test_a_module_computes_the_same_with_the_same_tensors(kind: str) -> None:
    theirs = MODULES[kind]()
    ours = minits.script(theirs)
    assert isinstance(ours, minits.ScriptModule)
    torch.testing.assert_close(ours(X), theirs(X))
    assert list(ours.state_dict()) == list(theirs.state_dict())
    for one, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        assert one is other and isinstance(one, nn.Parameter)
    for one, other in zip(ours.buffers(), theirs.buffers(), strict=True):
        assert one is other


@pytest.mark.parametrize("kind", MODULES)
def test_a_module_stands_in_another_one(kind: str) -> None:
    holder = Holder(MODULES[kind]())
    inner = holder.inner
    expected = copy.deepcopy(holder)(X)
    ours = minits.script(holder)
    assert holder.inner is inner and holder.both[0] is inner  # nothing is put in its place
    assert ours.inner is ours.both[0] is ours.both[1] is minits.script(inner)
    torch.testing.assert_close(ours(X), expected)


def test_training_one_trains_the_other() -> None:
    theirs = loaded()
    ours = minits.script(theirs)
    before = theirs.lin.weight.detach().clone()
    optimizer = torch.optim.SGD(ours.parameters(), lr=0.1)
    theirs(X).sum().backward()
    optimizer.step()
    assert not torch.equal(theirs.lin.weight, before)
    torch.testing.assert_close(ours.halved(X), theirs.halved(X))
    ours.load_state_dict({name: value + 1 for name, value in theirs.state_dict().items()})
    torch.testing.assert_close(ours.halved(X, 3), theirs.halved(X, by=3))


def test_what_is_no_tensor_is_copied_at_each_call() -> None:
    theirs = scripted()
    ours = minits.script(theirs)
    theirs.eval()
    theirs.factor = 5
    theirs.scales[0].mul_(3)
    theirs.table = {"a": torch.zeros(1), "b": torch.ones(1)}
    assert ours.training and ours.factor == 3
    assert minits.script(theirs) is ours
    assert not ours.training and not ours.lin.training and ours.factor == 5
    torch.testing.assert_close(ours(X), theirs(X))


def test_parts_are_taken_over_once() -> None:
    theirs = scripted()
    ours = minits.script(theirs)
    assert minits.script(theirs.lin) is ours.lin
    assert minits.script(theirs) is ours


def test_what_stands_for_an_object_goes_with_it() -> None:
    theirs: Any = scripted()
    function: Any = torch.jit.trace(torch.relu, torch.ones(2))
    alive = [weakref.ref(each) for each in (theirs, minits.script(theirs))]
    alive += [weakref.ref(each) for each in (function, minits.script(function))]
    del theirs, function
    gc.collect()
    assert [each() for each in alive] == [None] * 4


def test_it_is_forgotten_with_all_that_is_compiled() -> None:
    theirs = scripted()
    ours = minits.script(theirs)
    before = dict(vars(STATE))
    STATE.taken_over.clear()
    assert minits.script(theirs) is not ours
    assert dict(vars(STATE)).keys() == before.keys()


def hooked() -> Any:
    class Hooked(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return x + 1

    def before(self: Hooked, x: tuple[Tensor]) -> tuple[Tensor]:  # type: ignore[name-defined]
        return (x[0] * 2,)

    module = Hooked()
    module.register_forward_pre_hook(before)
    return torch.jit.script(module)


# ---- Functions -----------------------------------------------------------------------------------


def scaled(x: Tensor, n: int = 3, names: list[str] | None = None) -> Tensor:
    if names is not None:
        n += len(names)
    return x * n if n > 2 else x


def rank(x: Any) -> int:
    return len(list(x.shape))  # Python's, which a trace bakes in


TEXT = "def shifted(x: Tensor, k: int = 4) -> Tensor:\n    return x + k\n"
UNIT = torch.jit.CompilationUnit(TEXT)
scripted_function: Any = torch.jit.script(scaled)
traced_function: Any = torch.jit.trace(lambda x: x * rank(x), torch.ones(1, 1))
text_function: Any = UNIT.shifted
FUNCTIONS = {"script": scripted_function, "trace": traced_function, "text": text_function}


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_a_function_computes_the_same(kind: str) -> None:
    theirs = FUNCTIONS[kind]
    ours = minits.script(theirs)
    assert isinstance(ours, minits.ScriptFunction)
    assert ours.name == theirs.name
    torch.testing.assert_close(ours(X), theirs(X))
    torch.testing.assert_close(ours(-X), theirs(-X))
    assert str(ours.schema) == str(theirs.schema)
    assert minits.load(io.BytesIO(ours.save_to_buffer()))(X).equal(theirs(X))


def test_parameters_keep_names_and_defaults() -> None:
    ours = minits.script(text_function)
    assert ours(X, k=3).equal(X + 3) and ours(X).equal(X + 4)
    with pytest.raises(RuntimeError, match="Unknown keyword argument 'x2'"):
        ours(X, x2=1)
    assert minits.script(text_function) is ours


def calling(x: Tensor) -> Tensor:
    return text_function(scripted_function(traced_function(x)), k=7)


class Calling(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.text, self.traced, self.scripted = text_function, traced_function, scripted_function

    def forward(self, x: Tensor) -> Tensor:
        return self.text(self.scripted(self.traced(x), names=["a"]))


def test_a_program_calls_functions_of_torch() -> None:
    ours, theirs = minits.script(calling), torch.jit.script(calling)
    torch.testing.assert_close(ours(-X), theirs(-X))
    kinds = [node.kind for node in ours.graph.all_nodes()]
    assert kinds == [node.kind() for node in theirs.graph.nodes()]


def test_a_module_has_functions_of_torch_as_attributes() -> None:
    ours, theirs = minits.script(Calling()), torch.jit.script(Calling())
    torch.testing.assert_close(ours(-X), theirs(-X))


# ---- What cannot be taken over -------------------------------------------------------------------


@torch.jit.ignore
def in_python(x):  # type: ignore[no-untyped-def]
    return x


@torch.jit.script
def ignoring(x: Tensor) -> Tensor:
    return in_python(x) + 1


class Ignoring(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return in_python(x)


CANNOT = "this Ignoring has been compiled by torch.jit, and cannot be taken over: torch.jit can"


@pytest.mark.parametrize("outer", [lambda inner: inner, Holder])
@pytest.mark.parametrize("make", [minits.script, lambda module: minits.trace(module, X)])
@pytest.mark.filterwarnings("ignore:the module is compiled already")
def test_where_there_is_no_archive(outer: Any, make: Any) -> None:
    with pytest.raises(CompileError, match=CANNOT) as caught:
        make(outer(torch.jit.script(Ignoring())))
    (found,) = caught.value.diagnostics
    assert found.code == "TS614"
    assert "compile the nn.Module that it was made of" in str(caught.value)


def test_a_function_that_no_archive_holds_is_compiled_of_its_source() -> None:
    assert minits.script(ignoring)(X).equal(X + 1)
    traced: Any = torch.jit.trace(lambda x: ignoring(x) + 1, X)
    with pytest.raises(CompileError, match="the function _lambda has been compiled by torch"):
        minits.script(traced)


def test_a_module_from_outside_is_refused_as_one_of_minits() -> None:
    module = scripted()

    def program(x: Tensor) -> Tensor:
        return module(x)

    with pytest.raises(CompileError, match="Cannot call a ScriptModule that is not a submodule"):
        minits.script(program)


def test_an_attribute_of_that_name_makes_no_module_of_torch() -> None:
    class Own(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self._c = 3

        def forward(self, x: Tensor) -> Tensor:
            return x * self._c

    assert minits.script(Own())(X).equal(X * 3)


def test_hooks_are_taken_over() -> None:
    theirs = hooked()
    assert minits.script(Holder(theirs))(X).equal(torch.jit.script(Holder(theirs))(X))
