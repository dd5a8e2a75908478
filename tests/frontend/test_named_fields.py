"""NamedTuples in attributes without annotation: their names, and the annotation as the cure."""

from __future__ import annotations

import copy
from collections import namedtuple
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError, Diagnostic
from minits.types.named_fields import NamedFields, named_fields


class Scale(NamedTuple):
    factor: float
    times: int


class Outer(NamedTuple):
    scale: Scale
    shift: int


Plain = namedtuple("Plain", "p q")
SCALE = NamedFields("Scale", ("factor", "times"), (None, None))


class Net(nn.Module):
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class ByName(Net):
    def forward(self, x):
        return x * self.value.factor


class ByVariable(Net):
    def forward(self, x):
        value = self.value
        return x * value.factor


class ByNameOfPart(Net):
    def forward(self, x):
        return x + self.value.scale.factor


class OfItem(Net):
    def forward(self, x):
        return x + self.value[-1].factor


class OfKey(Net):
    def forward(self, x):
        return x + self.value["a"].factor


class OfLoop(Net):
    def forward(self, x):
        for each in self.value:
            x = x * each.factor
        return x


class OfPlain(Net):
    def forward(self, x):
        return x * self.value.p


class Misspelled(Net):
    def forward(self, x):
        return x * self.value.factors


class Parent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.child = Net(Scale(0.5, 2))

    def forward(self, x):
        return x * self.child.value.factor


class Annotated(nn.Module):
    scale: Scale
    scales: list[Scale]
    outer: Outer
    table: dict[str, Scale]

    def __init__(self) -> None:
        super().__init__()
        self.scale = Scale(0.5, 2)
        self.scales = [Scale(1.5, 3), Scale(2.5, 4)]
        self.outer = Outer(Scale(3.5, 5), 6)
        self.table = {"a": Scale(4.5, 7)}

    def forward(self, x: Tensor) -> Tensor:
        x = x * self.scale.factor + self.scales[-1].times + self.outer.scale.factor
        self.scale = Scale(self.scale.factor + 1.0, self.scale.times)
        return x + self.outer.shift + self.table["a"].times


def fault_of(net: nn.Module) -> Diagnostic:
    with pytest.raises(CompileError) as caught:
        minits.script(net)
    return caught.value.diagnostics[0]


@pytest.mark.parametrize(
    "value, expected",
    [
        (Scale(0.5, 2), SCALE),
        (Outer(Scale(0.5, 2), 1), NamedFields("Outer", ("scale", "shift"), (SCALE, None))),
        ((Scale(0.5, 2), 1), NamedFields(None, (), (SCALE, None))),
        ([Scale(0.5, 2), Scale(1.5, 2)], NamedFields("List[Scale]", (), (SCALE,))),
        ({3: Scale(0.5, 2)}, NamedFields("Dict[int, Scale]", (), (SCALE,))),
        (Plain(1, 2), NamedFields(None, ("p", "q"), (None, None))),
        ([Scale(0.5, 2), (0.5, 2)], None),
        ([Scale(0.5, 2), Plain(0.5, 2)], None),
        ([], None),
        ({}, None),
        ((1, 2), None),
        (torch.Size([1]), None),
        (torch.ones(2), None),
    ],
)
def test_names_of_objects(value: Any, expected: NamedFields | None) -> None:
    assert named_fields(value) == expected


def test_parts() -> None:
    pair = NamedFields(None, (), (SCALE, None))
    assert [pair.part(i) for i in (0, 1, -1, -2, 2, -3, None)] == [
        SCALE, None, None, SCALE, None, None, None,
    ]  # fmt: skip
    assert NamedFields("List[Scale]", (), (SCALE,)).part(None) == SCALE


@pytest.mark.parametrize(
    "net, annotation",
    [
        (ByName(Scale(0.5, 2)), "Scale"),
        (ByVariable(Scale(0.5, 2)), "Scale"),
        (ByNameOfPart(Outer(Scale(0.5, 2), 1)), "Outer"),
        (OfItem([Scale(0.5, 2)]), "List[Scale]"),
        (OfKey({"a": Scale(0.5, 2)}), "Dict[str, Scale]"),
        (OfLoop([Scale(0.5, 2)]), "List[Scale]"),
    ],
)
def test_the_annotation_is_named_and_inserted(net: nn.Module, annotation: str) -> None:
    fault = fault_of(net)
    assert fault.code == "TS302"
    assert fault.fix is not None
    assert fault.fix.endswith(f"its names are not inferred: `value: {annotation}`")
    assert fault.edit is not None
    (replacement,) = fault.edit.replacements
    written = annotation.replace("List", "list").replace("Dict", "dict")  # List is not imported
    assert replacement.text.strip() == f"value: {written}"
    assert replacement.range.source.filename == str(Path(__file__))


@pytest.mark.parametrize(
    "net",
    [
        ByName(Scale(0.5, 2)),
        ByVariable(Scale(0.5, 2)),
        ByNameOfPart(Outer(Scale(0.5, 2), 1)),
        OfItem([Scale(0.5, 2)]),
        OfItem((1, Scale(0.5, 2))),
        OfKey({"a": Scale(0.5, 2)}),
        OfLoop([Scale(0.5, 2)]),
        Parent(),
    ],
)
def test_the_extended_dialect_reads_fields_by_name(net: nn.Module, tmp_path: Path) -> None:
    x = torch.rand(3)
    compiled = minits.script(net, dialect="extended")
    minits.save(compiled, tmp_path / "net.pt")
    for program in (
        compiled,
        minits.load(tmp_path / "net.pt"),
        torch.jit.load(tmp_path / "net.pt"),
    ):
        for _ in range(3):
            torch.testing.assert_close(program(x), net(x))


def test_fields_that_are_not_as_declared_are_those_of_a_plain_tuple() -> None:
    class OfIndex(Net):
        def forward(self, x):
            return x * self.value[0]

    net = OfIndex(Scale(2, 2))  # an int for a float
    assert minits.script(net, dialect="extended")(torch.ones(1)).tolist() == [2]
    with pytest.raises(CompileError, match="no attribute or method 'p'"):
        minits.script(OfPlain(Plain(1, 2.5)), dialect="extended")


@pytest.mark.parametrize("net", [OfPlain(Plain(1, 2.5)), OfItem((1, Scale(0.5, 2)))])
def test_a_class_is_named_where_there_is_no_annotation(net: nn.Module) -> None:
    fault = fault_of(net)
    assert (
        fault.fix
        == "make it of a class that inherits from NamedTuple, and annotate 'value' with it"
    )
    assert fault.edit is None


def test_the_attribute_of_a_submodule() -> None:
    fix = fault_of(Parent()).fix
    assert fix is not None
    assert "`value: Scale`" in fix


@pytest.mark.parametrize("net", [Misspelled(Scale(0.5, 2)), OfItem([Scale(0.5, 2), (0.5, 2)])])
def test_names_that_the_objects_lack_have_no_such_cure(net: nn.Module) -> None:
    fault = fault_of(net)
    assert "annotate" not in (fault.fix or "")
    assert fault.edit is None


def test_the_annotated_module_is_as_in_python(tmp_path: Path) -> None:
    net = Annotated()
    compiled = minits.script(copy.deepcopy(net))
    minits.save(minits.script(copy.deepcopy(net)), tmp_path / "net.pt")
    loaded = minits.load(tmp_path / "net.pt")
    for _ in range(3):
        x = torch.randn(3)
        expected = net(x)
        torch.testing.assert_close(compiled(x), expected)
        torch.testing.assert_close(loaded(x), expected)
