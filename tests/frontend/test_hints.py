"""What people write again and again: each fault tells where it is and what to write instead."""

import os
import random
from typing import Any

import numpy as np
import pytest
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError, Diagnostic


def appends_to_a_list_of_nothing(n: int):
    xs = []
    xs.append(n)
    return xs


def joins_a_list_of_nothing(names: list[str]):
    found = []
    found += names
    return found


def fills_a_dict_of_nothing(n: int):
    counts = {}
    counts["a"] = n
    return counts


def returns_a_list_of_nothing(n: int) -> list[str]:
    xs = []
    if n > 0:
        return xs
    return ["a"]


def reads_a_key_as_attribute(d: dict[str, int]) -> int:
    return d.width


def calls_numpy(x: Tensor):
    return np.sum(x)


def makes_an_array(x: Tensor):
    return x.numpy()


def draws_in_python() -> float:
    return random.random()


def joins_a_path(name: str) -> str:
    return os.path.join("a", name)  # noqa: PTH118 - what is tested


def prints_with_separator(x: Tensor):
    print(x, x, sep=", ")


def computes_a_name(x: Tensor):
    return getattr(x, "sh" + "ape")


class Held(nn.Module):
    def __init__(self, held: Any) -> None:
        super().__init__()
        self.held = held


class GoesOver(Held):
    def forward(self, x: Tensor):
        for layer in self.held:
            x = layer(x)
        return x


class Looks(Held):
    def forward(self, x: Tensor):
        return x + self.held["a"](x)


class Counts(Held):
    def forward(self):
        return len(self.held)


class Keeps(Held):
    def forward(self, x: Tensor):
        self.held = x
        return x


class SumsParameters(Held):
    def forward(self, x: Tensor):
        for parameter in self.parameters():
            x = x + parameter
        return x


class AsksItsDevice(Held):
    def forward(self, x: Tensor):
        return x.to(next(self.parameters()).device)


class Freezes(Held):
    def forward(self, x: Tensor):
        self.requires_grad_(False)
        return x


class NamesItself(Held):
    def forward(self, x: Tensor):
        return self.__class__


def indexes_a_union(x: Tensor | list[Tensor]):
    return x[0]


IN_PYTHON = "or call it in a function marked @torch.jit.ignore"
CURES: list[tuple[Any, str, str]] = [
    (
        appends_to_a_list_of_nothing,
        "xs.append",
        "annotate it where it is made: xs: List[int] = []",
    ),
    (
        joins_a_list_of_nothing,
        "found += names",
        "annotate it where it is made: found: List[str] = []",
    ),
    (
        fills_a_dict_of_nothing,
        'counts["a"] = n',
        "annotate it where it is made: counts: Dict[str, int] = {}",
    ),
    (
        returns_a_list_of_nothing,
        "return xs",
        "annotate it where it is made: xs: List[str] = []",
    ),
    (reads_a_key_as_attribute, "d.width", 'an entry is read by its key: ["width"]'),
    (calls_numpy, "np.sum", "write torch.sum"),
    (makes_an_array, "x.numpy", f"write it with tensors, {IN_PYTHON}"),
    (
        draws_in_python,
        "random.random",
        f"write it with operators and torch functions, {IN_PYTHON}",
    ),
    (
        joins_a_path,
        "os.path.join",
        "define it in a file or a cell of a notebook, execute its text by minits.exec_source, "
        f"{IN_PYTHON}",
    ),
    (prints_with_separator, "print", "join the texts, and print them as one"),
    (computes_a_name, "getattr", "write the attribute after a dot"),
    (indexes_a_union, "x[0]", "test it with isinstance first"),
    (
        GoesOver([nn.ReLU()]),
        "self.held",
        "hold the modules in a container: self.held = nn.ModuleList(...)",
    ),
    (
        Looks({"a": nn.ReLU()}),
        "self.held",
        "hold the modules in a container: self.held = nn.ModuleDict(...)",
    ),
    (Counts([]), "self.held", "annotate it in the class, as in `held: List[int]`"),
    (Counts({1}), "self.held", "annotate 'held' in the class, or keep it out of compiled code"),
    (Keeps(None), "self.held = x", "annotate it in the class: `held: Optional[Tensor]`"),
    (
        SumsParameters(1),
        "self.parameters",
        "name those that are used, as in self.weight, or keep them in an nn.ParameterList",
    ),
    (
        AsksItsDevice(1),
        "next",
        "index a list, or take a device or dtype from an argument: x.device",
    ),
    (Freezes(1), "self.requires_grad_", "call it in Python, before or after the program"),
    (
        NamesItself(1),
        "self.__class__",
        "keep what is asked for in an attribute, assigned in __init__",
    ),
]


def fault_of(program: Any) -> Diagnostic:
    with pytest.raises(CompileError) as caught:
        minits.script(program)
    return caught.value.diagnostics[0]


@pytest.mark.parametrize(
    ("program", "where", "cure"),
    CURES,
    ids=lambda each: getattr(each, "__name__", type(each).__name__),
)
def test_the_place_and_the_cure(program: Any, where: str, cure: str) -> None:
    fault = fault_of(program)
    assert fault.range is not None
    assert fault.range.text.startswith(where)
    assert fault.fix == cure


def unannotated(values):
    return values.push(1)


def test_what_was_not_annotated_is_told() -> None:
    [note] = fault_of(unannotated).notes
    assert note.message == "'values' is a Tensor because it was not annotated"
