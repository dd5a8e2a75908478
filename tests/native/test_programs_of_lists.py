"""Programs of containers as C: they return and raise what others do, and free what they drop.

The text is also built with gcc's sanitizers, as a program of its own: nothing is used after it was
freed, and nothing is left at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import minits
from minits.native.function import NativeFunction
from tests.support.native_calls import check_agreement
from tests.support.needs import need_compiler
from tests.support.sanitizers import sanitized

need_compiler()


def edit_distance(a: list[int], b: list[int]) -> int:
    previous = [0]
    for j in range(len(b)):
        previous.append(j + 1)
    for i in range(len(a)):
        row = [i + 1]
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            row.append(min([previous[j + 1] + 1, row[j] + 1, previous[j] + cost]))
        previous = row
    return previous[len(b)]


def sieve(n: int) -> list[int]:
    prime = [True] * (n + 1)
    found: list[int] = []
    for i in range(2, n + 1):
        if prime[i]:
            found.append(i)
            for j in range(i * i, n + 1, i):
                prime[j] = False
    return found


def exchanged(n: int) -> tuple[list[float], list[float]]:
    a = [1.0, 2.0]
    b = [3.0]
    for i in range(n):
        a, b = b, a
        b.append(float(i))
        if i == 3:
            a = b
    return a, b


def rows_kept(grid: list[list[int]], n: int) -> tuple[int, list[list[int]], list[list[int]]]:
    total = 0
    rows: list[list[int]] = []
    for i in range(n):
        row = grid[i]
        rows.append(row)
        row.append(i)
        grid[0] = [i, i]
        for v in row:
            total += v
    return total, grid, rows


def read_before_it_is_written(xs: list[int], n: int) -> tuple[int, list[int]]:
    total = 0
    for i in range(n):
        a, b = xs[i], xs[-1 - i]
        xs[i] = b
        xs[-1 - i] = a
        size = len(xs)
        xs.append(total)
        last = xs[0]
        total += size * last + xs.pop(0) * (a - b)
        xs.insert(0, total % 7)
    return total, xs


def until_empty(xs: list[int]) -> int:
    total = 0
    for _ in range(len(xs)):
        xs.pop()
        for x in xs:
            total += x
    return total


def popped(xs: list[int], n: int) -> int:
    for _ in range(n):
        xs.pop(2)
    return len(xs)


def chosen(n: int, flag: bool) -> list[int]:
    a, b = [1], [2, 3]
    for i in range(n):
        c = a if flag else b
        if i > 1:
            d = [i]
        else:
            d = c
        c.append(len(d))
        a = d
    return a + b


def unpacked(xs: list[int], n: int) -> int:
    for _ in range(n):
        a, b = xs
        xs = [b, a + b]
    return xs[0]


def constant(n: int) -> tuple[int, list[list[int]]]:
    table = [[1, 2], [3, 4]]
    s = 0
    for i in range(n):
        s += table[i % 2][0] * [5, 6, 7][i % 3]
    return s, table


def left_with_an_error(n: int) -> int:
    rows: list[list[int]] = []
    for i in range(n):
        rows.append([i, i])
        if i == 3:
            raise ValueError(f"{rows[1][1]} of {len(rows)}")
    return len(rows)


def spelled(words: list[str], sep: str, n: int) -> tuple[str, list[str], int]:
    text = ""
    kept: list[str] = []
    for i in range(n):
        word = words[i % 3]
        text, word = text + word[:2] + sep, text
        if word.startswith("a") and sep != "":
            kept = text.split(sep)
        kept.append(f"{i}:{word}")
        words[0] = kept[-1]
    return text, kept, text.count("b")


def with_odd_constants(n: int) -> tuple[str, str, int]:
    text = 'a?"\\b\n\t é\x00c??/'
    for _ in range(n):
        text = text.replace("é", "?")
    return text, "%d", len(text) + "é".find("\n")


def left_with_a_text(n: int, name: str) -> str:
    for i in range(n):
        name = name + str(i)
        if len(name) > 4:
            raise ValueError(name + f" is too long: {len(name)}")
    return name


def of_optional(name: str | None, other: str | None, n: int) -> tuple[int, str | None, str]:
    total, found = 0, ""
    for i in range(n):
        if name is not None:
            total += len(name)
            found = name
        if i % 2 == 1:
            name = other
        else:
            other, name = name, None
    return total, other, found


def counted(words: list[str], n: int) -> tuple[dict[str, int], int, list[str]]:
    counts: dict[str, int] = {}
    for i in range(n):
        for word in words:
            if word in counts:
                counts[word] += i
            else:
                counts[word] = 1
        if i == 3:
            del counts[words[0]]
    total = 0
    for word in counts:
        total += counts[word] * len(word)
    return counts, total, list(counts.keys())


def many_deleted(n: int) -> tuple[dict[int, int], int]:
    table = {0: 0}
    for i in range(n):
        table[i * 7 % 101] = i
        table.pop(i * 3 % 101, -1)
        if i % 50 == 49:
            table.clear()
    return table, len(table)


def rings_shared(rings: dict[int, list[int]], n: int) -> tuple[dict[int, list[int]], list[int]]:
    kept = [n]
    for i in range(n):
        ring = rings.get(i % 3, kept)
        ring.append(i)
        rings[i % 2] = kept
        kept = ring
    return rings, kept


def of_pairs(
    table: dict[str, int], n: int
) -> tuple[list[tuple[str, int]], int, list[tuple[int, float]], tuple[str, int]]:
    total = 0
    pairs: list[tuple[int, float]] = []
    best = ("", 0)
    for i in range(n):
        for key, value in table.items():
            total += len(key) * value
            if value > best[1]:
                best = (key, value)
        pairs.append((i, float(total)))
        table["k" + str(i)] = i
        if i == 2:
            pairs[0] = (7, 1.5)
            number, _ = pairs.pop()
            total += number
    for number, _ in pairs:
        total += number
    return table.items(), total, pairs, best


def read_at_the_end_of_a_branch(n: int) -> int:
    """What a branch gives is read of a list that ends with it."""
    xs, total = [1, 2], 0
    for i in range(n):
        if i == 3 or xs != [i, i + 1]:
            total += 1
        last = xs[1] if i % 2 == 0 else [i, 5, n][1 + i % 2]
        text = str(i) if i % 3 == 0 else [str(i), "ab"][1]
        xs = [i + 1, i + 2] if total % 2 == 1 else [xs, [last]][i % 2]
        total += len(text) + last
        if len(xs) < 2:
            xs.append(i)
    return total


def lacks_a_key(table: dict[str, int], n: int) -> int:
    total = 0
    for i in range(n):
        total += table["k" + str(i)]
    return total


def searched(xs: list[float], x: float) -> tuple[int, int, bool, float]:
    at = 0
    for _ in range(2):
        at += xs.index(x)
    return at, xs.count(x), x in xs, min(xs)


CALLS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (edit_distance, ([1, 2, 3, 4], [2, 3, 5])), (edit_distance, ([], [])),
    (sieve, (50,)), (sieve, (0,)),
    (exchanged, (0,)), (exchanged, (9,)),
    (rows_kept, ([[1, 2], [3], []], 3)), (rows_kept, ([[1, 2], [3], []], 4)),
    (read_before_it_is_written, ([1, 2, 3, 4], 3)), (read_before_it_is_written, ([], 3)),
    (until_empty, ([4, 5, 6],)),
    (popped, ([1, 2, 3, 4, 5], 3)), (popped, ([1, 2, 3, 4, 5], 4)), (popped, ([], 1)),
    (chosen, (1, True)), (chosen, (5, True)), (chosen, (5, False)),
    (unpacked, ([1, 1], 8)), (unpacked, ([1, 1, 2], 8)),
    (constant, (5,)), (read_at_the_end_of_a_branch, (9,)),
    (counted, (["b", "a", "b", "é"], 6)), (counted, ([], 3)), (counted, (["a"], 9)),
    (many_deleted, (0,)), (many_deleted, (45,)), (many_deleted, (330,)),
    (rings_shared, ({5: [1], 0: [2]}, 7)), (rings_shared, ({}, 4)),
    (of_pairs, ({"b": 2, "1": 5}, 0)), (of_pairs, ({"b": 2, "1": 5}, 7)), (of_pairs, ({}, 3)),
    (lacks_a_key, ({"k0": 1, "k1": 2}, 2)), (lacks_a_key, ({"k0": 1}, 2)),
    (spelled, (["ab", "é", ""], ",", 7)), (spelled, (["b"], "", 3)), (spelled, ([], "-", 1)),
    (with_odd_constants, (0,)), (with_odd_constants, (1,)),
    (left_with_a_text, (3, "a")), (left_with_a_text, (9, "")), (left_with_a_text, (9, "é")),
    (of_optional, ("a", None, 4)), (of_optional, (None, "bc", 5)), (of_optional, (None, None, 3)),
    (left_with_an_error, (3,)), (left_with_an_error, (9,)),
    (searched, ([1.5, -0.0, 0.0], 0.0)), (searched, ([1.5, float("nan")], float("nan"))),
]  # fmt: skip


@pytest.mark.one_in(12, over="")
@pytest.mark.parametrize(
    ("function", "values"), CALLS, ids=[f"{f.__name__}{values}" for f, values in CALLS]
)
def test_agrees(function: Callable[..., Any], values: tuple[Any, ...], monkeypatch: Any) -> None:
    check_agreement(function, values, monkeypatch)


def test_too_long_a_list_is_an_error_and_no_crash() -> None:
    def long(n: int) -> int:
        xs = [0] * n
        for _ in range(2):
            xs = xs + xs
        return len(xs)

    native = NativeFunction(minits.script(long).graph_after(["optimize"]), "long")
    assert native(5) == 20
    for n in (2**58, 2**62, 2**63 - 1):
        with pytest.raises(MemoryError):
            native(n)


# ---- Memory ------------------------------------------------------------------------------------


def rows_dropped(n: int) -> int:
    total = 0
    previous = [0, 1]
    for i in range(n):
        row = [i, previous[1]]
        grid = [row, previous, [i]]
        grid[2] = row if i % 2 == 0 else grid[1]
        other = grid[2]
        if i % 3 == 0:
            other = other[:1] + row[:1]
        elif i % 3 == 1:
            continue
        grid.pop(0)
        row, previous = grid[0], other
        total += row[0] + len(grid.copy()) + sorted(previous)[0]
    return total


def rows_exchanged(n: int) -> int:
    a, b, c = [1], [2], [3]
    for i in range(n):
        a, b, c = b, [i], a
        if i == 5:
            c = b
        rows = [a] * 3
        rows.reverse()
        rows.clear()
    return a[0] + b[0] + c[0]


def texts_dropped(n: int) -> int:
    total = 0
    last = "a"
    words = ["b"]
    kept: str | None = None
    for i in range(n):
        text = last + str(i) + "-"
        words.append(text.upper())
        if i % 3 == 0:
            words = " ".join(words)[:30].split(" ")
        elif i % 3 == 1:
            kept = words.pop()
            continue
        else:
            words[0] = text if i % 2 == 0 else last
        if kept is not None:
            total += len(kept)
            kept = kept.replace("1", "22") if i % 2 == 0 else None
        last = f"{text[:5]}{words[-1][::-1]}"[:9]
        total += len(sorted(words)[0]) + last.find("A")
    return total


def items_dropped(n: int) -> int:
    total = 0
    names = {"a": "b"}
    rings = {0: [1]}
    for i in range(n):
        key = str(i % 7)
        names[key] = key + names.get("a", "")
        names["a"] = names.pop(key)[:3]
        fresh = {i: [i, i]}
        if i % 3 == 0:
            rings = fresh
        elif i % 3 == 1:
            rings[i % 5] = fresh[i]
            continue
        else:
            fresh.update(rings)
        values = list(names.values())
        total += len(fresh) + len(names) + len(values[0])
        pairs = list(names.items())
        pairs.append((key, str(i)))
        pairs[0] = pairs[-1]
        for name, text in pairs:
            total += len(text) + len(name)
        del fresh[i]
        if i % 8 == 5:
            names.clear()
            names["a"] = "c"
    return total + len(rings)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "function",
    [
        rows_dropped,
        rows_exchanged,
        texts_dropped,
        items_dropped,
        read_at_the_end_of_a_branch,
        left_with_an_error,
        sieve,
    ],
)
def test_sanitizers_find_nothing(function: Callable[..., Any], tmp_path: Path) -> None:
    rows = sanitized(function, tmp_path)
    if function in (rows_dropped, rows_exchanged, texts_dropped, items_dropped):
        assert [result for _, result in rows] == [function(n) for n in range(60)]
        held = [lists for lists, _ in rows[1:]]
        some = function in (texts_dropped, items_dropped)  # which keep some strs and lists
        most = 8 if some else 3
        assert max(held) - min(held) <= most, "each round of the loop leaves lists behind"
