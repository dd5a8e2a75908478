"""Empty containers without annotation: what is put into them first tells their type."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.diagnostics import CompileError
from tests.support.extended import check_agrees, check_extension


def appended(n: int):
    xs = []
    assert len(xs) == 0
    for i in range(n):
        xs.append(i * 2)
    return xs


def keyed(n: int):
    table = {}
    for i in range(n):
        table[str(i)] = i / 2
    return table


def by_number(words: list[str]):
    lengths = {}
    for word in words:
        if len(word) not in lengths:
            lengths[len(word)] = word
    return lengths


def grouped(words: list[str]):
    groups = {}
    for word in words:
        if len(word) not in groups:
            groups[len(word)] = []
        groups[len(word)].append(word)
    return groups


def rows_of_rows(rows: list[list[int]]):
    out = []
    for row in rows:
        current = []
        for item in row:
            current.append(item + 0.5)
        out.append(current)
    return out


def last_row(n: int):
    rows = [[0]]
    more = []
    for i in range(n):
        more.append([])
        more[-1].append(i)
    return rows, more


def called_empty(n: int):
    xs, d = [0], {"b": 1}
    ys = list()  # noqa: C408
    e = dict()  # noqa: C408
    ys.insert(0, n > 1)
    e.setdefault("a", n)
    e.update(d)
    return xs, ys, e


def extended_list(n: int):
    xs, ys = [], []
    zs = ys
    xs.extend([n, n])
    zs += ["a"]
    return xs, ys


def returned(n: int) -> tuple[list[int], dict[str, float]]:
    xs = []
    d = {}
    if n > 1:
        return [n], {"n": 1.0}
    return xs, d


def nested_dicts(n: int):
    outer = {}
    outer["a"] = {}
    outer["a"][n] = "x"
    return outer


def counted(words: list[str], wanted: int):
    counts = {}
    flags = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
        if wanted in flags:
            flags[len(word)] = True
        else:
            flags[len(word)] = False
    return counts, flags


def total(values: list[int], weights: dict[str, float]) -> int:
    return sum(values) + len(weights)


class Sized:
    def __init__(self, values: list[int]) -> None:
        self.size = len(values)

    def plus(self, names: list[str]) -> int:
        return self.size + len(names)


def passed(n: int):
    values, weights, names = [n], {"a": 1.0}, ["a"]
    if n > 1:
        values = []
        weights = {}
        names = []
    xs = []
    d = {}
    items = []
    words = []
    return total(xs, weights=d) + total(values, weights) + Sized(items).plus(words) + len(names)


def in_both_branches(flag: bool):
    if flag:
        xs = []
    else:
        xs = list()  # noqa: C408
    xs.append(1)
    return xs


def buckets(n: int):
    rows = [[] for _ in range(n)]
    table = {"a": [], "b": []}
    pair = [[], []]
    for i in range(n):
        rows[i].append(str(i))
        table["a"].append(i)
        pair[i % 2].append(i / 2)
    return rows, table, pair


def into_annotated(n: int):
    rows: list[list[int]] = [[n]]
    table: dict[str, dict[int, str]] = {}
    rows.append([])
    rows[-1].append(n)
    table["a"] = {}
    table["a"][n] = "x"
    return rows, table


def again(n: int):
    xs = []
    xs.append(n)
    total = sum(xs)
    xs = []
    xs.append("s")
    return xs, total


CALLS = [
    (appended, "TS402", [(3,), (0,)]),
    (keyed, "TS402", [(3,), (0,)]),
    (by_number, "TS402", [(["a", "b", "cc"],), ([],)]),
    (grouped, "TS402", [(["a", "b", "cc"],), ([],)]),
    (rows_of_rows, "TS402", [([[1, 2], [], [3]],), ([],)]),
    (last_row, "TS402", [(2,), (0,)]),
    (called_empty, "TS402", [(2,)]),
    (extended_list, "TS402", [(2,)]),
    (returned, "TS504", [(1,), (2,)]),
    (nested_dicts, "TS402", [(2,)]),
    (again, "TS402", [(2,)]),
    (into_annotated, "TS402", [(3,)]),
    (passed, "TS402", [(2,), (1,)]),
    (in_both_branches, "TS402", [(True,), (False,)]),
    (buckets, "TS402", [(2,), (0,)]),
    (counted, "TS402", [(["a", "b", "a", "cc"], 1), ([], 2)]),
]


@pytest.mark.parametrize(("program", "code", "inputs"), CALLS)
def test_the_first_use_tells_the_type(program, code, inputs) -> None:
    check_extension(program, code, *inputs)


class Collects(nn.Module):
    def forward(self, x: Tensor):
        shapes = []
        tensors = []
        for row in x:
            shapes.append(row.size(0))
            tensors.append(row)
        return shapes, torch.stack(tensors)


def test_tensors_stay_what_an_empty_list_is_of() -> None:
    check_agrees(Collects(), (torch.ones(2, 3),))


class Emptied(nn.Module):
    xs: list[int]
    table: dict[int, float]

    def __init__(self) -> None:
        super().__init__()
        self.xs = [1]
        self.table = {1: 2.0}

    def forward(self, n: int):
        self.xs = []
        self.table = {}
        self.xs.append(n)
        return self.xs, self.table


class Reset:
    def __init__(self) -> None:
        self.xs: list[int] = []

    def reset(self, n: int) -> None:
        self.xs.append(n)
        self.xs = []
        self.xs.append(n + 1)


def resets(n: int):
    held = Reset()
    held.reset(n)
    return held.xs


def test_an_attribute_that_is_declared_tells_the_type() -> None:
    check_extension(Emptied(), "TS601", (3,))
    check_extension(resets, "TS601", (3,))


class Bag:
    def __init__(self, n: int) -> None:
        items = []
        items.append(n)
        self.items = items


def objects(n: int):
    bags = []
    bags.append(Bag(n))
    return bags[0].items


def test_items_may_be_objects() -> None:
    check_extension(objects, "TS402", (3,))


def of_two_types(n: int):
    xs = []
    xs.append(n)
    xs.append("a")
    return xs


def tensor_first(x: Tensor, n: int):
    xs = []
    xs.append(x)
    xs.append(n)
    return xs


@pytest.mark.parametrize(
    ("program", "line"), [(of_two_types, 'append("a")'), (tensor_first, "(n)")]
)
def test_what_does_not_fit_the_first_use_is_refused_where_it_stands(program, line) -> None:
    with pytest.raises(CompileError, match="TS402") as caught:
        minits.script(program, dialect="extended")
    (fault,) = caught.value.diagnostics
    assert fault.range is not None and line in fault.range.source.text
    assert line in fault.range.text or "append" in fault.range.text


def of_tensors(x: Tensor):
    xs = []
    xs.append(x)
    return xs


def test_a_program_of_the_torch_dialect_has_the_same_graph_in_both() -> None:
    graphs = [str(minits.script(of_tensors, dialect=name).graph) for name in minits.api.DIALECTS]
    assert graphs[0] == graphs[1]
