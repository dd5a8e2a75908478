"""Classes and their objects given to `script`."""

from dataclasses import dataclass, field
from enum import Enum

import pytest
import torch
from torch import nn

import minits


class Counter:
    def __init__(self, n: int):
        self.n = n

    def add(self, by: int) -> int:
        self.n += by
        return self.n


def add_twice(counter: Counter) -> int:
    counter.add(2)
    return counter.add(3)


class Mode(Enum):
    ON = 1


def test_a_class_is_compiled_and_returned() -> None:
    assert minits.script(Counter) is Counter
    assert minits.script(Mode) is Mode


def test_an_object_is_shared_with_compiled_code() -> None:
    counter = minits.script(Counter(1))
    assert minits.script(add_twice)(counter) == 6
    assert counter.add(1) == 7


def test_the_methods_of_a_class_see_the_names_of_the_caller() -> None:
    @minits.script
    class Inner:
        def __init__(self, n: int):
            self.n = n

    @minits.script
    class Outer:
        def __init__(self):
            self.total = 0

        def take(self, inner):
            # type: (Inner) -> Outer
            self.total += inner.n
            return self

    def total(n: int) -> int:
        return Outer().take(Inner(n)).take(Inner(1)).total

    assert minits.script(total)(4) == total(4) == 5


class Derived(Counter):
    pass


@dataclass
class WithFactory:
    xs: list[int] = field(default_factory=list)


class Faulty:
    def __init__(self, n: int):
        self.n = n + "a"


@pytest.mark.parametrize(
    ("obj", "message"),
    [
        (Derived, "does not support inheritance"),
        (nn.Linear, "pass an instance"),
        (WithFactory, "'xs' of WithFactory has a default factory"),
        (Counter.__new__(Counter), "missing attribute n"),
        (3, "this int cannot be compiled"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_is_refused(obj: object, message: str) -> None:
    with pytest.raises(minits.CompileError) as caught:
        minits.script(obj)
    (diagnostic,) = caught.value.diagnostics
    assert message in f"{diagnostic.message}\n{diagnostic.fix}"


def test_a_fault_of_a_class_is_told_where_it_is() -> None:
    with pytest.raises(minits.CompileError) as caught:
        minits.script(Faulty)
    assert caught.value.diagnostics[0].range.text == 'n + "a"'


def test_an_attribute_of_another_type_is_told_where_a_module_holds_the_object() -> None:
    class Holder:
        def __init__(self, val):
            self.val = val

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.holder = Holder("1")

        def forward(self) -> torch.Tensor:
            return self.holder.val

    with pytest.raises(RuntimeError, match="Could not cast attribute 'val' to type Tensor"):
        minits.script(Model())


def test_a_class_method_that_takes_what_comes_is_refused() -> None:
    class Loose:
        def __init__(self, n: int):
            self.n = n

        @classmethod
        def make(*args):
            return args[0](1)

    with pytest.raises(minits.CompileError, match="variable number of arguments"):
        minits.script(Loose)
