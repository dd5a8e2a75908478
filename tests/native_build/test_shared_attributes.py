"""Attributes of modules that are one list, one dict, one module or one memory."""

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.cli.main import main
from minits.native.c_types import NotNative
from tests.support.native_libraries import compiled_with, library, output_of, write
from tests.support.needs import need_compiler

need_compiler()
Lists = tuple[list[int], list[list[int]], dict[str, list[int]], list[int] | None]


class Rows(nn.Module):
    """Lists that become one in calls: torch.jit copies the lists that a module has at first."""

    other: list[int] | None

    def __init__(self) -> None:
        super().__init__()
        self.row = [1]
        self.rows = [[2], [3]]
        self.by = {"a": [4], "b": [5]}
        self.pair = ([6], 1)
        self.other = None

    def forward(self, n: int) -> tuple[list[int], list[list[int]], dict[str, list[int]]]:
        self.row.append(n)
        self.pair[0].append(n)
        return self.row, self.rows, self.by

    @torch.jit.export
    def join(self, which: int) -> None:
        if which == 0:
            self.rows.append(self.row)
        elif which == 1:
            self.by["b"] = self.rows[0]
            self.rows[1] = self.rows[0]
        elif which == 2:
            self.other = self.row
            self.pair = (self.row, 2)
        else:
            self.row = self.by["a"]

    @torch.jit.export
    def shown(self) -> tuple[Lists, tuple[list[int], int]]:
        return (self.row, self.rows, self.by, self.other), self.pair

    @torch.jit.export
    def grow(self, n: int) -> None:
        self.rows[0].append(n)
        other = self.other
        if other is not None:
            other.append(-n)


def after(compiled: Any, joins: list[int]) -> list[Any]:
    """Return what a module or a library of one shows, between calls."""
    found = []
    for n, which in enumerate([*joins, 1, 2], 7):
        compiled(n)
        compiled.grow(n)
        found.append(repr(compiled.shown()))
        if n - 7 < len(joins):
            compiled.join(which)
    return found


@pytest.mark.one_in(8)
@pytest.mark.parametrize(
    "joins", [[], [0], [1], [2], [3], [0, 0], [0, 1, 2, 3], [3, 2, 1, 0], [2, 3, 0, 2, 1]]
)
def test_lists_that_are_one_stay_one(joins: list[int]) -> None:
    """The lists are one when the library is built, and become one in calls of the library."""
    script, jit = minits.script(Rows()), torch.jit.script(Rows())
    for which in joins:
        script.join(which)
        jit.join(which)
    native = library(script)
    expected = after(jit, [0, 2])
    assert after(native, [0, 2]) == expected
    assert after(script, [0, 2]) == expected


def test_lists_that_are_one_in_an_archive(tmp_path: Path) -> None:
    jit = torch.jit.script(Rows())
    for which in (0, 1, 2):
        jit.join(which)
    jit.save(str(tmp_path / "rows.pt"))
    assert main(["build", str(tmp_path / "rows.pt"), "-o", str(tmp_path)]) == 0
    loaded = torch.jit.load(str(tmp_path / "rows.pt"))
    assert after(minits.load_native(tmp_path), [0, 1]) == after(loaded, [0, 1])


MAIN = """
#include "model.h"
#include <stdio.h>
int main(void)
{
    mts_model *model;
    mts_error error;
    for (int64_t n = 0; n < 200; n++) {
        if (model_create(0, &model, &error)) return 1;
        for (int64_t i = 0; i < n % 5; i++) {
            mts_any result, given = mts_from_int((n + i * n) % 4);
            const char *name = i % 3 ? "join" : i % 2 ? "grow" : "forward";
            if (model_call(model, name, &given, 1, &result, &error)) return 2;
            model_clear(&result);
        }
        model_destroy(model);
    }
    return 0;
}
"""


def test_shared_lists_under_sanitizers(tmp_path: Path) -> None:
    script = minits.script(Rows())
    for which in (0, 1, 2):
        script.join(which)
    output_of(compiled_with(script, MAIN, tmp_path, "-fsanitize=address,undefined", "-Wall"))
    assert "mts_share(" in (tmp_path / "model.c").read_text()
    write(Rows(), tmp_path / "plain")
    assert "mts_share(" not in (tmp_path / "plain" / "model.c").read_text()


# ---- Lists in tuples and Optionals -------------------------------------------------------------


class Kept(nn.Module):
    seen: list[int] | None

    def __init__(self) -> None:
        super().__init__()
        self.seen = [1]
        self.pair = ([1], {"a": 2})

    def forward(self, n: int) -> tuple[list[int] | None, tuple[list[int], dict[str, int]]]:
        seen = self.seen
        if seen is not None:
            seen.append(n)
        self.pair[0].append(n)
        self.pair[1][str(n)] = n
        return self.seen, self.pair


def test_lists_within_attributes_are_kept() -> None:
    script, native = torch.jit.script(Kept()), library(Kept())
    for n in range(5):
        assert native(n) == script(n)


# ---- Modules -----------------------------------------------------------------------------------


class Part(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.total = 0
        self.register_buffer("sum", torch.zeros(1))

    def forward(self, n: int) -> int:
        self.total += n
        self.sum += n
        return self.total


class Pair(nn.Module):
    def __init__(self, one: Any, other: Any) -> None:
        super().__init__()
        self.one = one
        self.other = other

    def forward(self, n: int) -> tuple[int, int, int, Tensor]:
        return self.one(n), self.other(n), self.other.total, self.one.sum + 0


def test_a_module_under_two_names_is_one() -> None:
    """As in Python, whether it was compiled before or not; torch.jit copies a plain one."""
    part, jit_part = minits.script(Part()), torch.jit.script(Part())
    native, jit = library(Pair(part, part)), torch.jit.script(Pair(jit_part, jit_part))
    plain, eager_part = Part(), Part()
    natives, eager = library(Pair(plain, plain)), Pair(eager_part, eager_part)
    for n in (3, 4):
        assert native(n) == jit(n)
        assert natives(n) == eager(n)
    assert native(1)[0] == 15


# ---- Tensors -----------------------------------------------------------------------------------


class Views(nn.Module):
    def __init__(self, writes: bool) -> None:
        super().__init__()
        self.whole = torch.zeros(3)
        self.same = self.whole
        self.part = self.whole[1:]
        self.writes = writes

    def forward(self, n: int) -> tuple[Tensor, Tensor]:
        if self.writes:
            self.whole.add_(n)
        return self.same + 0, self.part + 0


class Same(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.x = torch.zeros(3)
        self.y = self.x

    def forward(self, n: int) -> Tensor:
        self.x[1] = n
        if n > 2:
            self.x = torch.ones(3)
        return self.y + 0


def test_tensors_that_are_one() -> None:
    script, native = torch.jit.script(Same()), library(Same())
    for n in (1, 2, 3, 4):
        assert torch.equal(native(n), script(n))


def test_tensors_of_one_memory_are_refused_where_it_is_written_to() -> None:
    assert torch.equal(library(Views(False))(1)[1], torch.zeros(2))
    with pytest.raises(NotNative, match="has memory of"):
        library(Views(True))


class Halves(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.one, self.other = torch.arange(6.0).chunk(2)

    def forward(self, n: int) -> tuple[Tensor, Tensor]:
        self.one.add_(n)
        return self.one + 0, self.other + 0


def test_tensors_side_by_side_in_one_memory_are_two() -> None:
    script, native = torch.jit.script(Halves()), library(Halves())
    for n in (1, 2):
        assert all(map(torch.equal, native(n), script(n)))
