"""Comprehensions with conditions and several generators."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError
from tests.support.extended import check_agrees, check_extension


def positive(values: list[int]) -> list[int]:
    return [value for value in values if value > 0]


def even_and_positive(values: list[int]) -> list[float]:
    return [value / 2 for value in values if value > 0 if value % 2 == 0]


def products(xs: list[float], ys: list[float]) -> list[float]:
    return [x * y for x in xs for y in ys]


def pairs_below(rows: list[list[int]], limit: int) -> list[tuple[int, str]]:
    return [(item, str(len(row))) for row in rows if len(row) > 1 for item in row if item < limit]


def triangle(n: int) -> list[int]:
    value = 100
    made = [value for row in range(n) for value in range(row) if value != row // 2]
    made.append(value)
    return made


def present(values: list[int | None]) -> list[int]:
    return [value + 1 for value in values if value is not None and value < 10]


def lengths(words: list[str]) -> dict[str, int]:
    return {word: len(word) for word in words if word != ""}


def table(keys: list[str], numbers: list[int]) -> dict[str, int]:
    return {key + str(number): number for key in keys for number in numbers if number > 1}


def any_and_sum(values: list[int]) -> tuple[bool, int, bool]:
    return (
        any(value > 5 for value in values if value % 2 == 0),
        sum([value for value in values if value > 0]),
        all(a <= b for a in values for b in values if b > 2),
    )


def nested(rows: list[list[int]]) -> list[list[int]]:
    return [[item for item in row if item != len(row)] for row in rows if len(row) > 0]


def over_a_tuple(pair: tuple[int, int], limit: int) -> list[int]:
    return [item for item in pair if item < limit]


def rows_above(x: Tensor, limit: float) -> list[Tensor]:
    return [row * 2 for row in x if bool(row.sum() > limit)]


def rows_truthy(x: Tensor) -> list[float]:
    return [float(item) for row in x for item in row if item]


ROWS = [[1, 2, 3], [], [2, 2], [7]]
PROGRAMS = [
    (positive, [([1, -2, 3],), ([],), ([-1],)]),
    (even_and_positive, [([4, -2, 3, 8],), ([],)]),
    (products, [([1.0, 2.0], [3.0, 4.0]), ([], [1.0]), ([1.0], [])]),
    (pairs_below, [(ROWS, 3), ([], 3), (ROWS, 0)]),
    (triangle, [(4,), (0,)]),
    (present, [([1, None, 3, 12],), ([None],), ([],)]),
    (lengths, [(["a", "", "bb"],), ([],)]),
    (table, [(["a", "b"], [1, 2, 3]), ([], [2]), (["a"], [1])]),
    (any_and_sum, [([1, 6, -3],), ([],), ([7, 3],)]),
    (nested, [(ROWS,), ([],)]),
    (over_a_tuple, [((1, 2), 2), ((1, 2), 0)]),
    (rows_above, [(torch.arange(6.0).reshape(3, 2), 2.0), (torch.zeros(0, 2), 0.0)]),
    (rows_truthy, [(torch.tensor([[0.0, 1.0], [2.0, 0.0]]),)]),
]


@pytest.mark.parametrize(("program", "calls"), PROGRAMS)
def test_a_comprehension_means_what_it_means_in_python(program, calls) -> None:
    check_extension(program, "TS114", *calls)


class Chosen(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2)])
        self.skip = 1

    def forward(self, x: Tensor) -> list[Tensor]:
        return [layer(x) for index, layer in enumerate(self.layers) if index != self.skip]


def test_the_modules_of_a_list_can_be_filtered() -> None:
    check_extension(Chosen(), "TS114", (torch.ones(2),))


def only_scripted(values: list[int]) -> list[int]:
    return [value for value in values if torch.jit.is_scripting() or value > 0]


def never(values: list[int]) -> list[str]:
    return [str(value) for value in values if False]


def test_a_condition_that_is_known_leaves_the_type_of_the_items() -> None:
    compiled = minits.script(only_scripted, dialect="extended")
    assert compiled([1, -1]) == [1, -1]
    check_agrees(never, ([1, 2],))


def before_its_loop(rows: list[list[int]]) -> list[int]:
    return [item for item in row for row in rows]  # noqa: F821


def test_a_generator_sees_the_variables_of_those_before_it_only() -> None:
    with pytest.raises(CompileError, match="TS311"):
        minits.script(before_its_loop, dialect="extended")


def one_loop(values: list[int]) -> list[int]:
    return [value * 2 for value in values]


def test_a_comprehension_of_the_torch_dialect_has_the_same_graph_in_both() -> None:
    graphs = [str(minits.script(one_loop, dialect=name).graph) for name in minits.api.DIALECTS]
    assert graphs[0] == graphs[1]
