"""Attributes of each kind: read at first, set, and kept from one call to the next."""

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from torch import nn

import minits
from tests.support.native_libraries import compiled_with, library, output_of
from tests.support.needs import need_compiler

need_compiler()


class Point(NamedTuple):
    x: int
    y: float


class Line(NamedTuple):
    start: Point
    rest: list[Point]


class Colour(Enum):
    RED = 1
    BLUE = 2


class Numbers(nn.Module):
    z: complex
    zs: list[complex]
    by: dict[str, complex]
    maybe: complex | None
    pair: tuple[complex, int]
    real: int | float
    reals: list[int | float]

    def __init__(self) -> None:
        super().__init__()
        self.z, self.zs, self.by, self.maybe = 1j, [1j, 2 + 0j], {"a": 1j}, None
        self.pair, self.real, self.reals = (1j, 2), 2, [1, 2.5]

    def forward(self, n: int) -> None:
        self.z = self.z * 2j
        self.zs.append(self.z)
        self.by[str(n)] = self.z
        self.maybe = self.z if n > 1 else None
        self.pair = (self.z, n)
        self.real = 2.5
        self.reals.append(n)

    @torch.jit.export
    def shown(
        self,
    ) -> tuple[
        complex, list[complex], dict[str, complex], complex | None, tuple[complex, int],
        int | float, list[int | float],
    ]:  # fmt: skip
        return self.z, self.zs, self.by, self.maybe, self.pair, self.real, self.reals


class Points(nn.Module):
    point: Point
    points: list[Point]
    maybe: Point | None
    line: Line
    by: dict[int, list[Line]]

    def __init__(self) -> None:
        super().__init__()
        self.point, self.points, self.maybe = Point(1, 2.0), [Point(3, 4.0)], Point(5, 6.0)
        self.line, self.by = Line(Point(7, 8.0), []), {}

    def forward(self, n: int) -> None:
        self.point = Point(self.point.x + n, 1.5)
        self.points.append(self.point)
        self.line.rest.append(self.point)
        self.by[n] = [self.line, Line(self.point, self.points)]
        if n == 2:
            self.maybe = None
        elif n == 3:
            self.line = Line(Point(n, 0.0), self.points)

    @torch.jit.export
    def shown(self) -> tuple[Point, list[Point], Point | None, Line, dict[int, list[Line]]]:
        return self.point, self.points, self.maybe, self.line, self.by


class Names(nn.Module):
    colour: Colour
    colours: list[Colour]
    maybe: Colour | None
    device: torch.device
    devices: dict[str, torch.device]
    where: torch.device | None

    def __init__(self) -> None:
        super().__init__()
        self.colour, self.colours, self.maybe = Colour.BLUE, [Colour.RED], Colour.RED
        self.device, self.devices = torch.device("cpu"), {"a": torch.device("cuda:1")}
        self.where = None

    def forward(self, n: int) -> None:
        self.colours.append(self.colour)
        self.maybe = self.colour if n > 1 else None
        self.colour = Colour.RED
        self.device = torch.device("cuda:" + str(n))
        self.devices[str(n)] = self.device
        self.where = self.device

    @torch.jit.export
    def shown(
        self,
    ) -> tuple[
        Colour, list[Colour], Colour | None, torch.device, dict[str, torch.device],
        torch.device | None,
    ]:  # fmt: skip
        return self.colour, self.colours, self.maybe, self.device, self.devices, self.where


KINDS = [Numbers, Points, Names]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", KINDS)
def test_attributes_are_those_of_torch(kind: Any) -> None:
    native, script, jit = library(kind()), minits.script(kind()), torch.jit.script(kind())
    for n in range(5):
        shown = repr(native.shown())
        assert shown == repr(jit.shown()) == repr(script.shown())
        for each in (native, script, jit):
            each(n)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", KINDS)
def test_a_library_begins_with_what_attributes_have(kind: Any) -> None:
    script = minits.script(kind())
    calls: Sequence[int] = (1, 2, 3)
    for n in calls:
        script(n)
    native, other = library(script), library(script)
    assert repr(native.shown()) == repr(script.shown())
    native(4)
    assert repr(other.shown()) == repr(script.shown())


MAIN = """
#include "model.h"
int main(void)
{
    mts_model *model;
    mts_error error;
    mts_any result;
    for (int times = 0; times < 2; times++) {
        if (model_create(0, &model, &error)) return 1;
        for (int64_t i = 0; i < 100; i++) {
            mts_any given = mts_from_int(i % 7);
            if (model_call(model, "forward", &given, 1, &result, &error)) return 2;
            model_clear(&result);
            if (model_call(model, "shown", 0, 0, &result, &error)) return 3;
            model_clear(&result);
            if (!model_call(model, "shown", &given, 1, &result, &error)) return 4;
            model_clear_error(&error);
        }
        model_destroy(model);
    }
    return 0;
}
"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", KINDS)
def test_attributes_under_sanitizers(kind: Any, tmp_path: Path) -> None:
    flags = ["-fsanitize=address,undefined", "-Wall", "-Wextra"]
    output_of(compiled_with(kind(), MAIN, tmp_path, *flags))
