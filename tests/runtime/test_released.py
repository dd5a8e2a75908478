"""Functions and classes go, with all that was compiled of them, when nobody holds them."""

import copy
import enum
import functools
import gc
import pickle
import typing
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.kept import ATTRIBUTE, Kept, KeptTable


def a_function() -> list[Any]:
    def inner(x: Tensor) -> Tensor:
        return torch.relu(x) + 1

    def local(x: Tensor, n: int = 3) -> Tensor:
        for i in range(n):
            x = inner(x) * 2 + i
        return x

    compiled = minits.script(local)
    for size in range(3, 8):
        compiled(torch.randn(size, 4))
    compiled(torch.randn(3, 4, requires_grad=True)).sum().backward()
    plans = compiled._plans
    groups = [group for plan in plans for group in plan.groups]
    kernels = [kernel for group in groups for kernel in group.made.kernels.values()]
    assert kernels
    return [inner, local, compiled, compiled._minits, plans, *groups, *kernels]


def a_script_class() -> list[Any]:
    class Box:
        def __init__(self, x: Tensor):
            self.x = x

        def get(self) -> Tensor:
            return self.x * 2

    def local(x: Tensor) -> Tensor:
        return torch.sigmoid(Box(x).get()) * 2

    def of_box(box: Box, boxes: list[Box] | None) -> Box | None:
        if boxes is None:
            return box
        return Box(boxes[0].get())  # a closure holds what is named here

    compiled = minits.script(local)
    compiled(torch.randn(3))
    takes = minits.script(of_box)
    takes(takes(Box(torch.randn(3)), None), [Box(torch.randn(3))])
    return [Box, local, of_box, compiled, takes]


def an_enum_and_a_named_tuple() -> list[Any]:
    class Color(enum.Enum):
        RED = 1
        BLUE = 2

    class Pair(NamedTuple):
        a: Tensor
        b: Tensor

    def local(pair: Pair, color: Color) -> Pair:
        return Pair(pair.b, pair.a + 1) if color == Color.RED else pair

    compiled = minits.script(local)
    compiled(Pair(torch.ones(2), torch.ones(2)), Color.RED)
    return [Color, Pair, local, compiled]


def a_module() -> list[Any]:
    class Scale(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = nn.Linear(3, 3)
            self.weight = nn.Parameter(torch.randn(3))

        def forward(self, x: Tensor) -> Tensor:
            return torch.relu(self.linear(x) * self.weight) + 1

    module = Scale()
    compiled = minits.script(module)
    compiled(torch.randn(2, 3)).sum().backward()
    return [Scale, module, compiled]


def what_cannot_be_compiled() -> list[Any]:
    class Bad:
        def __init__(self, x: Tensor) -> None:
            self.x = undefined(x)  # type: ignore[name-defined]  # noqa: F821

    def local(x: Tensor) -> Tensor:
        return Bad(x).x

    with pytest.raises(minits.CompileError):
        minits.script(local)
    return [Bad, local]


def released(make: Callable[[], list[Any]]) -> list[str]:
    """Return the names of what is still there."""
    references = [(str(each)[:80], weakref.ref(each)) for each in make()]
    for clear in typing._cleanups:  # type: ignore[attr-defined]
        clear()  # typing remembers Optional[Box] and List[Box] for a while
    gc.collect()
    return [name for name, reference in references if reference() is not None]


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    "make",
    [a_function, a_script_class, an_enum_and_a_named_tuple, a_module, what_cannot_be_compiled],
)
def test_nothing_is_left(make: Any) -> None:
    assert released(make) == []


def loaded_libraries() -> int:
    lines = Path("/proc/self/maps").read_text().splitlines()
    return len({line.split()[-1] for line in lines if "minits" in line and ".so" in line})


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="tells what is loaded")
def test_libraries_and_caches_do_not_grow() -> None:
    def size() -> tuple[int, int]:
        gc.collect()
        known = [each for each in gc.get_objects() if type(each) is Kept]
        return loaded_libraries(), len(known)

    a_function()
    before = size()
    for _ in range(40):
        a_function()
        a_script_class()
    libraries, known = size()
    assert libraries <= before[0] + 1
    assert known <= before[1] + 1


# ---- The tables --------------------------------------------------------------------------------


def wrapped(function: Any) -> Any:
    @functools.wraps(function)
    def wrapper(*args: Any) -> Any:
        return function(*args)

    return wrapper


class Base:
    pass


class Derived(Base):
    def method(self) -> int:
        return 1


def test_wrappers_derived_classes_and_methods_are_told_apart() -> None:
    table: KeptTable[int] = KeptTable()

    def function() -> None:
        return None

    method = Derived().method
    owners = [function, wrapped(function), Base, Derived, Derived.method, method, int, len]
    for number, owner in enumerate(owners):
        assert owner not in table
        table[owner] = number
    assert [table[owner] for owner in owners] == list(range(len(owners)))
    late = wrapped(function)  # has the dict of what it wraps
    assert late not in table
    assert table.get(late, 7) == 7
    assert [table.pop(owner) for owner in owners] == list(range(len(owners)))
    assert not any(owner in table for owner in owners)


def test_what_is_kept_is_not_pickled() -> None:
    table: KeptTable[Any] = KeptTable()

    def function() -> None:
        return None

    table[function] = function
    kept = vars(function)[ATTRIBUTE]
    for copied in (pickle.loads(pickle.dumps(kept)), copy.deepcopy(kept), copy.copy(kept)):
        assert (copied.owner, copied.entries) == (None, {})
