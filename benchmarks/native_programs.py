"""Programs of numbers, containers and elements of tensors, with hot loops."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from benchmarks.programs_calls import (
    collatz,
    list_append,
    list_sieve,
    scalar_float,
    scalar_int,
    scalar_wrapping,
)


def mandelbrot(n: int) -> int:
    inside = 0
    for row in range(n):
        for column in range(n):
            re = float(column) * 3.0 / float(n) - 2.0
            im = float(row) * 2.0 / float(n) - 1.0
            x, y = 0.0, 0.0
            steps = 0
            while x * x + y * y <= 4.0 and steps < 50:
                x, y = x * x - y * y + re, 2.0 * x * y + im
                steps += 1
            if steps == 50:
                inside += 1
    return inside


def primes(n: int) -> int:
    found = 0
    for candidate in range(2, n):
        divisor = 2
        while divisor * divisor <= candidate and candidate % divisor != 0:
            divisor += 1
        if divisor * divisor > candidate:
            found += 1
    return found


def edit_distance(n: int) -> int:
    """Two texts of n letters, one row of a table at a time."""
    a = [i * i % 7 for i in range(n)]
    b = [i * 3 % 5 for i in range(n)]
    previous = [0]
    for j in range(n):
        previous.append(j + 1)
    for i in range(n):
        row = [i + 1]
        for j in range(n):
            cost = 0 if a[i] == b[j] else 1
            row.append(min([previous[j + 1] + 1, row[j] + 1, previous[j] + cost]))
        previous = row
    return previous[n]


def series(n: int) -> tuple[Tensor, Tensor, Tensor]:
    """Two series, and the table of their distances, which is still to be filled."""
    cost = torch.full([n + 1, n + 1], float("inf"))
    cost[0, 0] = 0.0
    return torch.sin(torch.arange(n) * 0.1), torch.cos(torch.arange(n) * 0.13), cost


def time_warping(n: int) -> float:
    """Dynamic time warping of two series: a table that is a tensor."""
    a, b, cost = series(n)
    for i in range(n):
        for j in range(n):
            d = abs(float(a[i]) - float(b[j]))
            best = min([float(cost[i, j + 1]), float(cost[i + 1, j]), float(cost[i, j])])
            cost[i + 1, j + 1] = d + best
    return float(cost[n, n])


def time_warping_of_tensors(n: int) -> float:
    """The same with tensors without dimensions instead of numbers."""
    a, b, cost = series(n)
    for i in range(n):
        for j in range(n):
            best = torch.min(cost[i, j + 1], torch.min(cost[i + 1, j], cost[i, j]))
            cost[i + 1, j + 1] = (a[i] - b[j]).abs() + best
    return float(cost[n, n])


def viterbi(n: int) -> int:
    """The best path through n steps of eight states."""
    score = torch.sin(torch.arange(n * 8) * 0.37).view(n, 8)
    change = torch.cos(torch.arange(64) * 0.71).view(8, 8)
    back = torch.zeros([n, 8], dtype=torch.long)
    for t in range(1, n):
        for j in range(8):
            best = float(score[t - 1, 0]) + float(change[0, j])
            state = 0
            for i in range(1, 8):
                s = float(score[t - 1, i]) + float(change[i, j])
                if s > best:
                    best = s
                    state = i
            score[t, j] = float(score[t, j]) + best
            back[t, j] = state
    last = 0
    for t in range(n - 1, 0, -1):
        last = int(back[t, last])
    return last


def suppression(n: int) -> int:
    """Greedy non-maximum suppression of n boxes."""
    corners = torch.sin(torch.arange(n * 2) * 0.9).view(n, 2)
    boxes = torch.cat([corners, corners + 0.5], 1)
    removed = torch.zeros([n], dtype=torch.bool)
    kept = 0
    for a in range(n):
        if bool(removed[a]):
            continue
        kept += 1
        for b in range(a + 1, n):
            left = max(float(boxes[a, 0]), float(boxes[b, 0]))
            top = max(float(boxes[a, 1]), float(boxes[b, 1]))
            right = min(float(boxes[a, 2]), float(boxes[b, 2]))
            bottom = min(float(boxes[a, 3]), float(boxes[b, 3]))
            inter = max(right - left, 0.0) * max(bottom - top, 0.0)
            if inter / (0.5 - inter) > 0.3:
                removed[b] = True
    return kept


def word_counts(n: int) -> int:
    """How often each word of a text of n words occurs."""
    words: list[str] = []
    for i in range(n):
        words.append("w" + str(i * i % 97) + ("\n" if i % 50 == 49 else ""))
    text = " ".join(words)
    counts: dict[str, int] = {}
    for line in text.splitlines():
        for word in line.split():
            counts[word] = counts.get(word, 0) + 1
    most = 0
    for word in counts:
        most = max(most, counts[word])
    return most


def stack_machine(n: int) -> int:
    """A program of words that sums numbers below n, run word by word."""
    program = "push 0 push 0 over add swap push 1 add swap over limit less back".split(" ")
    stack: list[int] = []
    at = 0
    while at < len(program):
        word = program[at]
        at += 1
        if word == "push":
            stack.append(int(ord(program[at]) - 48))
            at += 1
        elif word == "add":
            top = stack.pop()
            stack.append(stack.pop() + top)
        elif word == "swap":
            top = stack.pop()
            stack.insert(len(stack) - 1, top)
        elif word == "over":
            stack.append(stack[-2] if len(stack) > 1 else stack[-1])
        elif word == "limit":
            stack.append(n)
        elif word == "less":
            top = stack.pop()
            stack.append(1 if stack.pop() < top else 0)
        elif word == "back" and stack.pop() == 1:
            at = 4
    return stack[-1]


def ctc_beam_search(n: int) -> int:
    """The prefixes of n steps of four letters and a blank, of which the best six are kept."""
    letters = ["a", "b", "c", "d"]
    with_blank = {"": 1.0}
    with_letter = {"": 0.0}
    for t in range(n):
        chances = [abs(math.sin(float(7 * t + k))) + 0.01 for k in range(5)]
        next_blank: dict[str, float] = {}
        next_letter: dict[str, float] = {}
        for prefix in with_blank:
            blank, letter = with_blank[prefix], with_letter[prefix]
            next_blank[prefix] = next_blank.get(prefix, 0.0) + (blank + letter) * chances[4]
            next_letter[prefix] = next_letter.get(prefix, 0.0)
            for k in range(4):
                chance = (blank + letter) * chances[k]
                if len(prefix) > 0 and prefix[-1] == letters[k]:
                    next_letter[prefix] += letter * chances[k]
                    chance = blank * chances[k]
                longer = prefix + letters[k]
                next_letter[longer] = next_letter.get(longer, 0.0) + chance
                next_blank[longer] = next_blank.get(longer, 0.0)
        with_blank.clear()
        with_letter.clear()
        for _ in range(6):
            best, most = "", -1.0
            for prefix in next_blank:
                score = next_blank[prefix] + next_letter[prefix]
                if score > most:
                    best, most = prefix, score
            if most < 0.0:
                break
            with_blank[best] = next_blank.pop(best)
            with_letter[best] = next_letter.pop(best)
    return len(with_blank.keys())


class Body:
    def __init__(self, place: float, speed: float) -> None:
        self.place = place
        self.speed = speed

    def move(self, seconds: float) -> None:
        self.place = self.place + self.speed * seconds


class Bodies:
    def __init__(self, n: int) -> None:
        self.bodies: list[Body] = []
        for i in range(n):
            self.bodies.append(Body(float(i * i), 0.1 * float(i)))

    def step(self, seconds: float) -> None:
        for a in self.bodies:
            for b in self.bodies:
                distance = b.place - a.place
                a.speed += seconds * distance / (abs(distance * distance * distance) + 0.1)
        for a in self.bodies:
            a.move(seconds)


def n_body(n: int) -> float:
    """Six bodies on a line, for n steps."""
    world = Bodies(6)
    for _ in range(n):
        world.step(0.01)
    return world.bodies[0].place


def successor(n: int) -> int:
    while n < 0:
        n += 1
    return n + 1


def fifty_lines(n: int) -> int:
    """A queue at two counters, minute by minute: a loop of fifty lines, to be built."""
    waiting: list[int] = []
    served, lost, longest, total = 0, 0, 0, 0
    first, second = 0, 0
    patience, pause = 30, 0
    seed = 12345
    for minute in range(n):
        seed = (seed * 1103515245 + 12345) % 2147483648
        arrivals = seed // 65536 % 3
        if minute % 60 > 50:
            arrivals += 1
        elif minute % 60 < 10:
            arrivals = max(arrivals - 1, 0)
        for _ in range(arrivals):
            waiting.append(minute)
        kept: list[int] = []
        for since in waiting:
            if minute - since > patience:
                lost += 1
            else:
                kept.append(since)
        waiting = kept
        if len(waiting) > longest:
            longest = len(waiting)
        if first > 0:
            first -= 1
        if second > 0:
            second -= 1
        if pause > 0:
            pause -= 1
        if minute % 240 == 239:
            pause = 15
        if first == 0 and len(waiting) > 0:
            total += minute - waiting[0]
            waiting = waiting[1:]
            first = 2 + seed // 131072 % 4
            served += 1
        is_open = pause == 0 and len(waiting) > 5
        if second == 0 and is_open:
            total += minute - waiting[0]
            waiting = waiting[1:]
            second = 3 + seed // 262144 % 5
            served += 1
        average = 0.0
        if served > 0:
            average = float(total) / float(served)
        if average > 10.0:
            patience = max(patience - 1, 10)
        elif average < 5.0:
            patience = min(patience + 1, 45)
        if served > 0 and lost * 2 > served:
            lost = lost // 2
            patience = 30
    return served * 1000 + lost * 10 + longest


OF_NUMBERS, OF_LISTS, OF_DICTS = 30.0, 10.0, 2.0
"""Targets: speeds beside torch.jit's."""
HOT = (
    (scalar_int, 100_000, OF_NUMBERS), (scalar_float, 100_000, OF_NUMBERS),
    (scalar_wrapping, 100_000, OF_NUMBERS), (collatz, 10_000, OF_NUMBERS),
    (mandelbrot, 30, OF_NUMBERS), (primes, 5_000, OF_NUMBERS),
    (list_sieve, 100_000, OF_LISTS), (list_append, 100_000, OF_LISTS),
    (edit_distance, 150, OF_LISTS), (time_warping, 100, OF_NUMBERS),
    (time_warping_of_tensors, 100, OF_NUMBERS), (viterbi, 100, OF_NUMBERS),
    (suppression, 150, OF_NUMBERS), (word_counts, 3_000, OF_DICTS),
    (n_body, 200, OF_LISTS), (stack_machine, 3_000, OF_DICTS), (ctc_beam_search, 40, OF_DICTS),
)  # fmt: skip
"""Programs, their argument and their target."""
