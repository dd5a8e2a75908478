"""Making a failing history shorter: steps, states, arguments and lines are left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

from conformance.fuzz.calls.history import (
    Again,
    Backward,
    Call,
    History,
    Result,
    Same,
    Step,
    Threads,
    Write,
)
from conformance.fuzz.calls.tensors import T

Fails = Callable[[History], bool]
_VIEW = r"(\[[^\]]*\]|\.\w+[a-z]\([^)]*\))"
_MADE = re.compile(r"^ *(\w+) = ", re.MULTILINE)
MOST_TRIALS = 120
"""Shorter histories that are tried; each takes as long as a history does."""


def shrink(history: History, fails: Fails) -> History:
    """Return a history that fails, too, from which little can be left out."""
    trials = 0
    found = True
    while found:
        found = False
        for shorter in _shorter(history):
            trials += 1
            if trials > MOST_TRIALS:
                return history
            if fails(shorter):
                history, found = shorter, True
                break
    return history


def _shorter(history: History) -> Iterator[History]:
    count = len(history.steps)
    if count > 3:
        yield replace(history, steps=_without(history.steps, set(range(count // 2))))
        yield replace(history, steps=_without(history.steps, set(range(count // 2, count))))
    for number in reversed(range(count)):
        yield replace(history, steps=_without(history.steps, {number}))
    if history.bound:
        yield replace(history, bound=0)
    if history.build != "now":
        yield replace(history, build="now")
    for number, step in enumerate(history.steps):
        if isinstance(step, Threads):
            yield replace(history, steps=_in_turn(history.steps, number))
    for number, step in enumerate(history.steps):
        for simpler in _simpler(step):
            steps = (*history.steps[:number], simpler, *history.steps[number + 1 :])
            yield replace(history, steps=steps)
    for text in _shorter_texts(history.program):
        yield replace(history, program=text)


def _without(steps: tuple[Step, ...], gone: set[int]) -> tuple[Step, ...]:
    """Leave out steps; others are numbered anew, and one that asks for these is left out, too."""
    places: dict[int, int] = {}
    kept: list[Step] = []
    for number, step in enumerate(steps):
        moved = None if number in gone else _moved(step, places)
        if moved is not None:
            places[number] = len(kept)
            kept.append(moved)
    return tuple(kept)


def _in_turn(steps: tuple[Step, ...], number: int) -> tuple[Step, ...]:
    """The calls of threads as single steps, one thread after the other."""
    step = steps[number]
    assert isinstance(step, Threads)
    calls = [call for thread in step.threads for call in thread]
    places = {n: n if n < number else n + len(calls) - 1 for n in range(len(steps))}
    later = [_moved(each, places) for each in steps[number + 1 :]]
    return (*steps[:number], *calls, *[each for each in later if each is not None])


def _moved(step: Step, places: dict[int, int]) -> Step | None:
    if isinstance(step, Backward | Write):
        return replace(step, step=places[step.step]) if step.step in places else None
    if not isinstance(step, Call):
        return step
    args = []
    for name, value in step.args:
        if isinstance(value, Again | Result):
            if value.step not in places:
                return None
            value = replace(value, step=places[value.step])
        args.append((name, value))
    return replace(step, args=tuple(args))


def _simpler(step: Step) -> Iterator[Step]:
    match step:
        case Threads():
            yield from _simpler_threads(step)
        case Call():
            yield from _simpler_call(step)
        case Backward() if step.how != "sum":
            yield replace(step, how="sum")
        case Write() if step.text != "x.add_(1)":
            yield replace(step, text="x.add_(1)")


def _simpler_threads(step: Threads) -> Iterator[Step]:
    for number, calls in enumerate(step.threads):
        others = step.threads[:number], step.threads[number + 1 :]
        if len(step.threads) > 1:
            yield replace(step, threads=(*others[0], *others[1]))
        for place, call in enumerate(calls):
            if len(calls) > 1:
                fewer = (*calls[:place], *calls[place + 1 :])
                yield replace(step, threads=(*others[0], fewer, *others[1]))
            for simpler in _simpler_call(call):
                made = (*calls[:place], simpler, *calls[place + 1 :])
                yield replace(step, threads=(*others[0], made, *others[1]))


def _simpler_call(call: Call) -> Iterator[Call]:
    if call.backward:
        yield replace(call, backward="")
    if call.transform:
        yield replace(call, transform="")
    for number in range(len(call.states)):
        yield replace(call, states=call.states[:number] + call.states[number + 1 :])
    for number in reversed(range(len(call.args))):
        fewer = call.args[:number] + call.args[number + 1 :]
        positional = min(call.positional, number) if number < call.positional else call.positional
        yield replace(call, args=fewer, positional=min(positional, len(fewer)))
    for number, (name, value) in enumerate(call.args):
        for simpler in _simpler_values(value):
            made = (*call.args[:number], (name, simpler), *call.args[number + 1 :])
            yield replace(call, args=made)


def _simpler_values(value: Any) -> Iterator[Any]:
    if isinstance(value, T):
        for field in fields(T):
            if getattr(value, field.name) != field.default:
                yield replace(value, **{field.name: field.default})
    elif isinstance(value, Again | Result | Same):
        yield T()
        if value.view:
            yield replace(value, view="")
    elif isinstance(value, list | tuple):
        for number, each in enumerate(value):
            if isinstance(value, list):
                yield value[:number] + value[number + 1 :]
            for simpler in _simpler_values(each):
                yield type(value)([*value[:number], simpler, *value[number + 1 :]])


def _shorter_texts(text: str) -> Iterator[str]:
    """Programs with a line less, or with one result."""
    lines = text.splitlines(keepends=True)
    for number in reversed(range(1, len(lines))):
        indent = len(lines[number]) - len(lines[number].lstrip())
        end = number + 1
        while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > indent:
            end += 1
        shorter = "".join([*lines[:number], *lines[end:]])
        if not unused(shorter):
            yield shorter
    head, arrow, results = text.partition(" -> Tuple[")
    if arrow and "\n    return " in text and "class" not in text:
        body, _, last = results.partition("]:\n")[2].rpartition("    return ")
        for name in last.strip().split(", "):
            shorter = f"{head} -> Tensor:\n{body}    return {name}\n"
            if not unused(shorter):
                yield shorter


def unused(text: str) -> list[str]:
    """Names that a program gives a value and does not use, or writes to after their last use.

    What computes it is left out by compilers, and with it what it would have raised.
    """
    made = dict.fromkeys(_MADE.findall(text))
    return [name for name in made if not _is_used(name, text)]


def _is_used(name: str, text: str) -> bool:
    """Whether a name is read, since it was written last: by `v[0] *= 1`, `v.mul_(2)`, `v = v * 2`.

    What is written by its own name is taken to be read by its own name, though it may be by others.
    """
    writes = re.compile(rf" *{name}(\[[^\]]*\])? [-+*/]?= | *{name}{_VIEW}*\.\w+_\(")
    reads = re.compile(rf"\b{name}\b")
    is_used = False
    for line in text.splitlines():
        if writes.match(line):
            is_used = False
        elif reads.search(line):
            is_used = True
    return is_used
