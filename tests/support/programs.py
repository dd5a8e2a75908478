"""Programs, each with calls, on which all ways to run a graph must agree.

Two lists of arguments for one program are two calls. Programs are compiled by torch.jit and their
graphs copied, so that they are independent of the frontend.
"""

# ruff: noqa: UP006, UP035, UP045
from __future__ import annotations

import math
from typing import Any, Dict, List, Optional, Tuple

import torch
from torch import Tensor

BIG = 2**63 - 1
NAN, INF = math.nan, math.inf


def integer_arithmetic(a: int, b: int) -> Tuple[int, int, int, int, int]:
    return a + b, a - b, a * b, -a, (a + b) * (a - b) + a


def integer_division(a: int, b: int) -> Tuple[int, int, float]:
    return a // b, a % b, a / b


def integer_bits(a: int, b: int) -> Tuple[int, int, int, int, int]:
    return a & b, a | b, a ^ b, a << (b & 7), a >> 3


def comparisons_of_overflow(a: int, b: int) -> List[bool]:
    return [a + 1 > a, a * b == b * a, a - b < a, -a < 0, a + b + 1 > b]


def sum_without_wrapping(n: int, x: int) -> int:
    total = 0
    for i in range(n):
        total = total + x * i
    return total


def sum_observed(n: int, x: int) -> List[int]:
    total = 0
    seen: List[int] = []
    for i in range(n):
        total += x
        if i % 2 == 0:
            seen.append(total)
    return seen


def growing_product(n: int, x: int) -> int:
    for _ in range(n):
        x = x * 3 + 1
    return x


def fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def three_rotated(n: int, a: int, b: int, c: int) -> Tuple[int, int, int]:
    for i in range(n):
        a, b, c = b, c, a + i
    return a, b, c


def collatz(n: int) -> int:
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def nested_sums(n: int, m: int) -> Tuple[int, int]:
    s = 0
    t = 1
    for i in range(n):
        for j in range(m):
            s += i * j
            if s > 50:
                t = t * 2
            else:
                t = s
        s -= t
    return s, t


def breaks(xs: List[int]) -> Tuple[int, int]:
    i = 0
    last = -1
    while True:
        if i >= len(xs):
            break
        if xs[i] < 0:
            i += 1
            continue
        last = xs[i]
        if last == 7:
            break
        i += 1
    return i, last


def early_returns(x: int) -> str:
    if x < 0:
        return "negative"
    for i in range(x):
        if i * i == x:
            return "square of " + str(i)
    if x == 0:
        return "zero"
    return "plain"


def derived_ranges(a: int, b: int, c: int) -> List[int]:
    out: List[int] = []
    for i in range(a, b, c):
        out.append(i)
        for j in range(b, a, -1):
            out.append(i * j)
    last = 0
    for k in range(a, b):
        last = k
    out.append(last)
    return out


def short_circuits(xs: List[int], i: int) -> Tuple[bool, bool, int]:
    a = i < len(xs) and xs[i] > 0
    b = i >= len(xs) or xs[i] == 2
    return a, b, (xs[i] if i < len(xs) else -1)


def order_of_effects(xs: List[int]) -> Tuple[int, List[int]]:
    a = xs.pop() * 10 + xs.pop()
    xs.append(len(xs) + a)
    b = len(xs) + xs[0]
    xs[0] = xs[-1] + xs.pop(0) if len(xs) > 1 else 5
    xs.insert(1, b)
    return a - b, xs


def floats(x: float, y: float) -> List[float]:
    return [x + y, x - y, x * y, x / y, x // y, x % y, -x, abs(x), min(x, y), max(x, y)]


def float_math(x: float) -> List[float]:
    return [
        math.sqrt(x), math.exp(x), math.log(x), math.sin(x), math.tanh(x), float(round(x)),
        math.pow(x, 3.0), math.fmod(x, 2.5), math.atan2(x, -1.0), math.log1p(x),
    ]  # fmt: skip


def mixed_numbers(n: int, x: float) -> Tuple[float, float, bool, bool, float, float]:
    return n + x, n * x, n < x, x == n, n / x, x**2


def rounding(x: float) -> Tuple[int, int, int]:
    return int(x), math.floor(x), math.ceil(x)


def running_mean(xs: List[float]) -> float:
    total = 0.0
    count = 0
    for x in xs:
        if not math.isnan(x):
            total += x
            count += 1
    return total / count


def strings(s: str, t: str) -> List[str]:
    out = [s + t, s.upper(), s.replace("a", "bb"), s[1:3], s[::-1], t.join([s, s])]
    for c in s:
        out.append(c + t)
    return out


def rebuilt(s: str) -> Tuple[str, int, bool]:
    out = ""
    for i in range(len(s)):
        out += s[i]
    return out, len(out), out == s


def formats(a: int, x: float, s: str) -> str:
    return "{} {} {}".format(a, x, s) + "%d %s" % (a, s)  # noqa: UP031, UP032


def lists(xs: List[int], n: int) -> Tuple[List[int], List[int], List[int], int, bool]:
    ys = xs + [n] * 3
    ys.sort(reverse=True)
    ys.extend(xs)
    ys.reverse()
    zs = ys.copy()
    zs[n] = 100
    return ys[1:-1], zs, xs[:n], ys.index(n) + ys.count(n), n in xs


def nested_lists(n: int) -> List[List[int]]:
    grid = [[i * j for j in range(i)] for i in range(n)]
    grid[0] = [7]
    return grid


def dicts(d: Dict[str, int], key: str) -> Tuple[Dict[str, int], List[str], int, int, bool]:
    d[key] = d.get("a", 5) + len(d)
    if "x" in d:
        d.pop("x")
    total = 0
    for k, v in d.items():
        total += v * len(k)
    first = d.popitem()
    d.update({first[0]: 1})
    return d, list(d.keys()), total, d[key], key in d


def tuples(a: int, s: str) -> Tuple[Tuple[int, str], int, str]:
    pair = (a, s)
    swapped = (pair[1], pair[0])
    x, y = swapped
    return pair, y + 1, x + "!"


def optionals(a: Optional[int], b: Optional[int]) -> Optional[int]:
    if a is None:
        return b
    if b is not None:
        a = a * b
    return a


def refined_in_loop(xs: List[Optional[int]]) -> int:
    best: Optional[int] = None
    for x in xs:
        if x is not None:
            best = x if best is None or x > best else best
    return -1 if best is None else best


def raises(x: int) -> int:
    if x > 2:
        raise ValueError("too great: " + str(x))
    assert x > 0, "not positive"
    return x


def tensors(x: Tensor, y: Tensor) -> Tuple[Tensor, List[int], int, float]:
    z = torch.relu(x) @ y.t() + 1
    z = z.softmax(-1) * 2.5
    z[0] = z[0] + z.sum(dim=1, keepdim=True)[0]
    return z, list(z.shape), z.size(0), float(z.sum().item())


def tensor_loop(x: Tensor, n: int) -> Tensor:
    outs: List[Tensor] = []
    for i in range(n):
        x = x * 0.5 + i
        if bool(x.sum() > 3):
            x = -x
        outs.append(x)
    return torch.stack(outs).to(torch.float64)


def in_place(x: Tensor) -> Tuple[Tensor, Tensor]:
    y = x.clone()
    y.add_(1).mul_(2)
    y[1:].zero_()
    a, b = torch.max(y, dim=0)
    parts = torch.chunk(y, 2)
    parts[0].add_(len(parts))
    return y, a.type_as(y) + b


def conversions(x: Tensor, s: str) -> Tuple[int, float, bool, float]:
    return int(x), float(x) + 0.5, bool(x), float(s)


def outer_variable_in_branches(c: bool, n: int) -> Tuple[int, int, int]:
    a = n
    b = n
    if c:
        b = a + 1
        a = 0
    d = a
    if n > 3:
        d = b
        b = d + 1
    return a, b, d


def swapped_in_branches(n: int, a: int, b: int) -> Tuple[int, int]:
    for i in range(n):
        if i % 3 == 0:
            a, b = b, a
        elif i % 3 == 1:
            a = b - a
        else:
            b = a
    return a, b


def loop_variable_kept(n: int) -> List[int]:
    previous = -1
    before = -2
    out: List[int] = []
    for i in range(n):
        out.append(before)
        before = previous
        previous = i
    return out


def inner_loop_copies(n: int) -> Tuple[int, int]:
    a = 1
    b = 1
    for i in range(n):
        c = a
        while c < 20:
            c = c + i + 1
            b += c
        a = b - c
    return a, b


def unwrapped_into_loop(c: bool, a: int, n: int) -> Tuple[int, bool]:
    if c:
        a = a + n * a
    else:
        a = n
    for i in range(3):
        a = a + i
    return a, a == 5


def list_loops(xs: List[int], n: int) -> Tuple[List[int], int, int]:
    out: List[int] = []
    last = 0
    for x in xs:
        if x > n:
            break
        out.append(x + last)
        last = x
    for y in out:
        for z in xs:
            last += y * z
    for w in xs:
        xs[0] = w + 1
        if len(xs) < 6:
            xs.append(w)
    return out, last, len(xs)


def sums_of_items(xs: List[int], start: int) -> Tuple[int, int, int, int]:
    up = start
    for x in xs:
        up += x
    turned = 0
    for x in xs:
        turned = x + turned
    sum = 1
    for x in xs:
        sum = sum + sum
    last = 0
    for last in xs:
        up = up + last
    return up, turned, sum, last


def sums_of_floats(xs: List[float]) -> Tuple[float, bool]:
    total = 0.0
    for x in xs:
        total += x
    count = 0
    for x in xs:
        count += 1
    return total, count > 2


PROGRAMS: list[tuple[Any, list[tuple[Any, ...]]]] = [
    (integer_arithmetic, [(3, -5), (BIG, 1), (-BIG - 1, -1), (2**40, 2**40), (BIG, BIG)]),
    (integer_division, [(7, 2), (-7, 2), (7, -2), (0, 5), (BIG, 3), (2**62 + 1, 2**61), (1, 0)]),
    (integer_bits, [(12, 10), (-5, 3), (BIG, 7), (-BIG - 1, 1)]),
    (comparisons_of_overflow, [(1, 2), (BIG, BIG), (-BIG - 1, 1), (2**32, 2**31)]),
    (sum_without_wrapping, [(10, 3), (5, BIG), (1000, 2**60), (0, 1)]),
    (sum_observed, [(4, 3), (9, 2**61), (9, -(2**62))]),
    (growing_product, [(3, 1), (100, 7), (0, 5)]),
    (unwrapped_into_loop, [(True, -(2**63), 2**62), (False, 1, 2), (True, 2**63 - 1, 2**62)]),
    (fibonacci, [(10,), (200,)]),
    (three_rotated, [(7, 1, 2, 3), (0, 1, 2, 3), (5, BIG, BIG, BIG)]),
    (collatz, [(27,), (1,)]),
    (nested_sums, [(4, 5), (0, 3), (3, 0), (40, 40)]),
    (breaks, [([1, -2, 3],), ([1, 7, 3],), ([],)]),
    (early_returns, [(-1,), (0,), (9,), (7,)]),
    (derived_ranges, [(0, 5, 2), (5, 0, -2), (3, 3, 1), (1, 4, 0)]),
    (short_circuits, [([1, 2], 1), ([1, 2], 5), ([], 0), ([-1], 0)]),
    (order_of_effects, [([1, 2, 3, 4],), ([1, 2],), ([1],)]),
    (floats, [(1.5, -2.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 0.0), (NAN, 1.0), (INF, 2.0)]),
    (float_math, [(0.5,), (-2.0,), (0.0,), (1000.0,), (NAN,), (INF,)]),
    (mixed_numbers, [(3, 1.5), (-1, -1.0), (2**53 + 1, 2.0**53), (0, 0.0)]),
    (rounding, [(1.5,), (-1.5,), (1e30,), (NAN,)]),
    (running_mean, [([1.0, 2.0, NAN],), ([],)]),
    (strings, [("banana", "-"), ("", ""), ("é", "ü")]),
    (rebuilt, [("abc",), ("añ€b",), ("",)]),
    (formats, [(1, 2.0, "x"), (-1, NAN, "")]),
    (lists, [([3, 1, 2], 1), ([], 0), ([5, 5], 9)]),
    (list_loops, [([1, 2, 3], 2), ([], 0), ([5, 4], 9)]),
    (sums_of_items, [([1, 2, 3], 2), ([], 7), ([BIG, BIG, 1], BIG), ([-BIG, -BIG, -BIG], -3)]),
    (sums_of_floats, [([0.1, 0.2, 0.3],), ([1e16, 1.0, -1e16],), ([],)]),
    (nested_lists, [(4,), (1,), (0,)]),
    (dicts, [({"a": 1, "x": 2}, "k"), ({}, "x"), ({"b": 3}, "b")]),
    (tuples, [(1, "s")]),
    (optionals, [(None, None), (None, 3), (2, None), (2, 3)]),
    (refined_in_loop, [([1, None, 5, 3],), ([],), ([None],)]),
    (raises, [(1,), (5,), (0,)]),
    (tensors, [(torch.ones(2, 3), torch.ones(4, 3)), (torch.ones(2, 3), torch.ones(4, 2))]),
    (tensor_loop, [(torch.ones(2), 4), (torch.ones(2), 0)]),
    (in_place, [(torch.arange(6.0).reshape(3, 2),)]),
    (conversions, [(torch.tensor(3), "1.5"), (torch.tensor(0.7), "nan"), (torch.ones(2), "1")]),
    (outer_variable_in_branches, [(True, 5), (False, 5), (True, 1), (False, 1)]),
    (swapped_in_branches, [(1, 1, 2), (7, 1, 2), (0, 1, 2)]),
    (loop_variable_kept, [(5,), (0,)]),
    (inner_loop_copies, [(4,), (0,), (9,)]),
]  # fmt: skip
