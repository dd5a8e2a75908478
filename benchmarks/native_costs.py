"""The costs of being C: of a call, of a build, and of calls in two threads at once."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import torch

import minits
from benchmarks import native_programs as programs
from benchmarks.calls import call_microseconds
from minits.native.function import NativeFunction


class Cost(NamedTuple):
    """A row of the table: a number with its unit, at most `target`, and remarks."""

    name: str
    value: float
    unit: str
    target: float
    remark: str = ""


def costs(rounds: int) -> list[Cost]:
    """Measure them: the rows of the table in docs/performance.md."""
    theirs, ours, alone, plain = _calls(rounds)
    call = f"with the checks of arguments {ours:.2f}, torch.jit {theirs:.2f}, Python {plain:.2f}"
    built, cached = _builds(rounds)
    return [
        Cost("a call where C does next to nothing", alone, "µs", 2.0, call),
        Cost("a loop of 50 lines, from its graph to C that is loaded", built, "s", 0.3),
        Cost("the same, in the user's cache", cached, "s", 0.01),
        Cost("calls in two threads by the time of one", _two_threads(rounds), "", 1.2),
    ]


def compiled(program: Callable[..., Any], mode: str, argument: int) -> Any:
    """Return a compiled program whose plan was made with this value of MINITS_NATIVE."""
    os.environ["MINITS_NATIVE"] = mode
    made = minits.script(program)
    for _ in range(3):
        made(argument)
    assert mode == "now" or not runs_as_c(made), made.plan_report()
    return made


def runs_as_c(made: Any) -> bool:
    """Return whether the plan of a compiled program, or a loop of it, is C."""
    return "runs as C" in made.plan_report()


def _calls(rounds: int) -> list[float]:
    """Return the µs of a call by torch.jit, as C, of the plan's function alone, and by Python."""
    program = programs.successor
    ours = compiled(program, "now", 1)
    ways = (torch.jit.script(program), ours, ours.plan_for(1).native.native.call, program)
    return call_microseconds(ways, 1, rounds)


def _two_threads(rounds: int) -> float:
    """Return the time of two calls in two threads by that of one: the interpreter is let go."""
    program, argument = programs.mandelbrot, 400
    call = compiled(program, "now", argument)

    def run(count: int) -> float:
        threads = [threading.Thread(target=call, args=(argument,)) for _ in range(count)]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.perf_counter() - start

    return statistics.median(run(2) / run(1) for _ in range(rounds))


def _builds(rounds: int) -> tuple[float, float]:
    """Return the least seconds of a build and of finding it in the cache, in new processes."""
    built, cached = [], []
    for _ in range(min(rounds, 3)):
        with tempfile.TemporaryDirectory() as cache:
            built.append(_seconds_in_new_process(cache))
            cached += [_seconds_in_new_process(cache) for _ in range(2)]
    return min(built), min(cached)


def _seconds_in_new_process(cache: str) -> float:
    command = [sys.executable, "-m", "benchmarks", "native", "--part", "build"]
    environment = {**os.environ, "MINITS_CACHE": cache, "MINITS_NATIVE": "off"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    seconds: float = json.loads(done.stdout.splitlines()[-1])
    return seconds


def build_seconds() -> float:
    """Print a plan as C, and build it or load it from the cache, in this process."""
    made = compiled(programs.fifty_lines, "off", 2)
    graph = made.plan_for(2).graph
    start = time.perf_counter()
    NativeFunction(graph, "fifty_lines").build()
    return time.perf_counter() - start
