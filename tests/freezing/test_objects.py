"""Objects of script classes in frozen modules: constants where nothing writes to them."""

from __future__ import annotations

import io
from typing import Any

import torch
from torch import Tensor, nn

import minits


@minits.script
class Shift:
    def __init__(self, by: int) -> None:
        self.by = by
        self.weight = torch.ones(2)
        self.seen = [by]

    def shifted(self, x: Tensor) -> Tensor:
        return x * self.weight + self.by

    def counted(self, x: Tensor) -> Tensor:
        self.by += 1
        return x + self.by

    def remembered(self, x: Tensor) -> Tensor:
        self.seen.append(len(self.seen))
        return x + self.seen[-1]

    def added(self, x: Tensor) -> Tensor:
        self.weight.add_(1)
        return x + self.weight


@minits.script
class Outer:
    def __init__(self, shift: Shift) -> None:
        self.shift = shift


class Holder(nn.Module):
    def __init__(self, by: int = 3) -> None:
        super().__init__()
        self.shift = Shift(by)


class Shifting(Holder):
    def forward(self, x: Tensor) -> Tensor:
        return self.shift.shifted(x)


class Counting(Holder):
    def forward(self, x: Tensor) -> Tensor:
        return self.shift.counted(x)


class Remembering(Holder):
    def forward(self, x: Tensor) -> Tensor:
        return self.shift.remembered(x)


class Adding(Holder):
    def forward(self, x: Tensor) -> Tensor:
        return self.shift.added(x)


class Nested(Holder):
    def __init__(self) -> None:
        super().__init__()
        self.outer = Outer(self.shift)

    def forward(self, x: Tensor) -> Tensor:
        return self.outer.shift.shifted(x)


class NestedAndWritten(Nested):
    """The object that `forward` reads is written to under another name."""

    def forward(self, x: Tensor) -> Tensor:
        self.shift.by += 1
        return self.outer.shift.shifted(x)


class WrittenElsewhere(Holder):
    """The weight of the object is a buffer of the module, to which `forward` adds."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("weight", self.shift.weight)

    def forward(self, x: Tensor) -> Tensor:
        self.weight.add_(1)
        return self.shift.shifted(x)


def frozen(module: nn.Module, **options: Any) -> Any:
    return minits.freeze(minits.script(module.eval()), **options)


def reads(module: Any) -> list[str]:
    return [node["name"] for node in module.graph.nodes_of_kind("prim::GetAttr")]


def alike(make: type[nn.Module]) -> Any:
    """Return a frozen module, once three calls of it have given what the original gives."""
    original, module = minits.script(make().eval()), frozen(make())
    for _ in range(3):
        assert torch.equal(module(torch.zeros(2)), original(torch.zeros(2)))
    return module


def test_what_nothing_writes_to_is_a_constant() -> None:
    assert reads(alike(Shifting)) == []
    assert reads(alike(Nested)) == []


def test_what_is_written_to_stays() -> None:
    assert "by" in reads(alike(Counting))
    assert "seen" in reads(alike(Remembering))
    assert "weight" in reads(alike(Adding))


def test_what_is_written_to_under_another_name_stays() -> None:
    assert reads(alike(NestedAndWritten)).count("by") == 2
    assert reads(alike(WrittenElsewhere)).count("weight") == 2


def test_a_preserved_object_is_read() -> None:
    module = frozen(Shifting(), preserved_attrs=["shift"])
    assert reads(module) == ["shift", "weight", "by"]
    module.shift.by = 7
    assert module(torch.zeros(2)).tolist() == [7.0, 7.0]


def test_archives_have_the_constants() -> None:
    file = io.BytesIO()
    minits.save(frozen(Shifting()), file)
    file.seek(0)
    assert minits.load(file)(torch.zeros(2)).tolist() == [3.0, 3.0]
    file.seek(0)
    assert torch.jit.load(file)(torch.zeros(2)).tolist() == [3.0, 3.0]
