"""Take the steps of a history in one process, and each compilation in one of its own.

Both take all the other steps, so that the same things are loaded and changed in them. A history on
which they differ is made shorter.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random

from conformance.case import find_scripted
from conformance.foreign.sweep import listed, modules
from conformance.orders.drawn import draw
from conformance.orders.steps import Compile, History
from conformance.orders.world import World
from conformance.silence import silence
from conformance.upstream.forks import Send, fork

SILENCE = 120.0
"""Seconds after which a process is lost."""


_WITH_A_STATE = ("case torch_functions/generator_is_made_once",)
"""Programs whose constants change when they are called: compiled once, they go on from there."""


@dataclass(slots=True)
class Found:
    """The findings of one history."""

    compilations: int = 0
    faults: list[str] = field(default_factory=list)


def body(packages: list[str]) -> list[str]:
    """Return the programs to draw from: those of packages, and the cases of the suite."""
    foreign = [str(each) for name in packages for each in listed(modules(name))]
    cases = [f"case {case.name}" for case in find_scripted()]
    return [case for case in cases if case not in _WITH_A_STATE] + foreign


def search(programs: list[str], count: int, seed: int) -> Iterator[Found]:
    """Check `count` random histories."""
    for number in range(count):
        yield check(draw(programs, Random(f"{seed} {number}")))


def check(history: History) -> Found:
    """Compare all compilations of a history; tell of the first that differs, made shorter."""
    found = Found()
    alone, together = _shown(history, "each"), _shown(history, "none")
    for number, step in enumerate(history):
        if not isinstance(step, Compile):
            continue
        found.compilations += 1
        if alone.get(number) != together.get(number):
            short = shrunk(history[: number + 1])
            found.faults.append(told(short))
            break
    return found


def _shown(history: History, alone: str) -> dict[int, str]:
    """Return the text of each compilation of a history, by its number.

    alone: `each` is made in a process of its own, the `last` is the only one, or `none` is alone.
    """
    numbers = [number for number, step in enumerate(history) if isinstance(step, Compile)]
    numbers = numbers[-1:] if alone == "last" else numbers
    shown: dict[int, str] = {}
    for message in fork(partial(_take, history, numbers, alone == "each"), SILENCE):
        if "shown" in message:
            shown[numbers[len(shown)]] = message["shown"]
        elif message["end"] and len(shown) < len(numbers):
            shown[numbers[len(shown)]] = f"the process: {message['end']}"
    return shown


def _take(history: History, numbers: list[int], is_alone: bool, send: Send) -> None:
    """Take all steps in this process, but compile only `numbers`; if `is_alone`, each in a fork."""
    silence()
    world = World()
    for number, step in enumerate(history):
        if not isinstance(step, Compile):
            world.take(step)
            continue
        world.prepare(step)
        if number in numbers and is_alone:
            ended = next(fork(partial(_compile, world, step), SILENCE))
            send({"shown": ended.get("shown", "lost")})
        elif number in numbers:
            _compile(world, step, send)


def _compile(world: World, step: Compile, send: Send) -> None:
    send({"shown": world.compile(step)})


def _last(history: History, alone: str) -> str | None:
    """Return the text of the last compilation."""
    return _shown(history, alone).get(len(history) - 1)


def differs(history: History) -> bool:
    """Whether the last compilation of a history shows another text than one in a fresh process."""
    return _last(history, "last") != _last(history, "none")


def shrunk(history: History) -> History:
    """Return a history from which no step can be left out."""
    if not differs(history):
        return history
    size = max(1, len(history) // 2)
    while size:
        start = 0
        while start < len(history) - 1:
            end = min(start + size, len(history) - 1)
            shorter = (*history[:start], *history[end:])
            if differs(shorter):
                history = shorter
            else:
                start = end
        size //= 2
    return history


def told(history: History) -> str:
    """Return a history and how its last compilation differs from that of a process of its own."""
    alone, together = (_last(history, each) or "nothing" for each in ("last", "none"))
    lines = difflib.unified_diff(
        alone.splitlines(), together.splitlines(), "alone", "in this order", lineterm="", n=1
    )
    steps = "\n".join(f"    {step}," for step in history)
    return f"(\n{steps}\n)\n" + "\n".join(list(lines)[:40])
