"""Runs a history, each step compiled or eager, and sees what happens."""

from __future__ import annotations

import copy
import re
import threading
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils import _pytree as pytree

from conformance.fuzz.calls.history import (
    Again,
    Backward,
    Call,
    Change,
    History,
    Result,
    Same,
    Step,
    Threads,
    Write,
)
from conformance.fuzz.calls.program import Program
from conformance.fuzz.calls.seen import (
    PARTS,
    TWICE,
    Heard,
    Seen,
    raised,
    see_arguments,
    see_gradients,
    see_results,
    storage,
    unheard,
    versions,
    warned,
)
from conformance.fuzz.calls.states import entered
from conformance.fuzz.calls.tensors import T, Wrapper
from conformance.fuzz.calls.transforms import called
from conformance.fuzz.calls.turns import Turns

FIRST_OF_THREADS = 1_000_000
"""The number of the first call that belongs to a thread."""
UNSEEN = re.compile(r"\.data\.\w+_\(|\.data = x\.data")
"""What writes, or gives another shape or dtype, without autograd's knowing."""


class Skipped(Exception):
    """A step asks for something that is not there."""


class World:
    """A program's object, and the tensors of the calls so far."""

    def __init__(self, program: Program, is_compiled: bool) -> None:
        self.program = program
        self.object: Any = program.make()
        self.is_compiled = is_compiled
        if is_compiled:
            self.object = program.compiled(self.object)
        self.arguments: dict[int, dict[str, Any]] = {}
        self.results: dict[int, list[Tensor]] = {}
        self.leaves: dict[int, list[Tensor]] = {}
        self.behind: dict[int, set[int]] = {}
        """The calls through whose nodes gradients of a call may flow: itself, and those whose
        results it was given."""
        self.unseen = -1
        """The step that came last of those that write what autograd does not see written."""
        self.changed = -1
        """The step that came last of those that change or write anything."""
        self.replaced = -1
        """The step that came last of those that gave a parameter other memory: `m.double()`."""
        self.run_again: set[int] = set()
        """The calls that run once more when gradients are asked for."""

    def run(self, number: int, step: Step) -> list[Seen]:
        """Do a step; return what was seen, for each of its calls."""
        match step:
            case Call():
                return [self._call(number, step)]
            case Backward():
                return [self._backward(step)]
            case Change():
                return [self._change(number, step)]
            case Write():
                return [self._write(number, step)]
            case Threads():
                return self._threads(number, step)

    # ---- Calls ---------------------------------------------------------------------------------

    def _call(self, number: int, call: Call, program: Any = None) -> Seen:
        program = self.object if program is None else program
        try:
            values = self._values(number, call)
        except Skipped:
            return Seen({"skipped": True})
        self.arguments[number] = values
        self.behind[number] = {number}.union(*map(self._behind, dict(call.args).values()))
        watched = [x for x in pytree.tree_leaves(values) if isinstance(x, Tensor)]
        watched += _parameters(program)
        leaves = [x for x in watched if x.requires_grad and x.is_leaf]
        self.leaves[number] = list({id(x): x for x in leaves}.values())
        given = list(values.items())
        args = tuple(value for _, value in given[: call.positional])
        kwargs = dict(given[call.positional :])
        seen, before = Seen(), versions(watched)
        caught = warned if number < FIRST_OF_THREADS else unheard
        try:
            if call.transform == "checkpoint":
                self.run_again.add(number)
            with entered(call.states):
                result, warnings = caught(lambda: called(call.transform, program, args, kwargs))
        except Exception as error:
            seen.facts["raises"] = raised(error)
        else:
            self.results[number] = see_results(seen, result, watched)
            seen.facts["warnings"] = warnings
        see_arguments(seen, watched, before)
        if call.backward and number in self.results:
            self._see_gradients(seen, number, call.backward, caught)
        return seen

    def _values(self, number: int, call: Call) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, given in call.args:
            values[name] = self._value(given, values)
        return values

    def _value(self, given: Any, values: dict[str, Any]) -> Any:
        match given:
            case T():
                return given.make()
            case Again(step, name, view):
                return _viewed(_found(self.arguments.get(step, {}), name), view)
            case Result(step, view):
                return _viewed(_found(dict(enumerate(self.results.get(step, []))), 0), view)
            case Same(name, view):
                return _viewed(_found(values, name), view)
            case list() | tuple():
                return type(given)(self._value(each, values) for each in given)
            case dict():
                return {key: self._value(each, values) for key, each in given.items()}
        return given

    def _behind(self, given: Any) -> set[int]:
        """Return the calls through which gradients of an argument may flow."""
        match given:
            case Again(step) | Result(step):
                return self.behind.get(step, {step})
            case list() | tuple() | dict():
                items = given.values() if isinstance(given, dict) else given
                return set().union(*map(self._behind, items))
        return set()

    # ---- Gradients -----------------------------------------------------------------------------

    def _see_gradients(
        self,
        seen: Seen,
        number: int,
        how: str,
        caught: Callable[[Callable[[], Any]], Heard] = warned,
    ) -> bool:
        """Note the gradients of a call; return whether they can be compared with eager's.

        After an unseen write, gradients are a mixture, eager's of the values that it happens to
        save; gradients of gradients are one by a parameter that has other memory: by what eager
        saved of it alone, not by what was computed from it. A program that a checkpoint runs again
        after a change is another one: it saves other tensors. What is not compared is computed
        once, and nothing is written between: one of two programs may raise before it writes.
        """
        results, leaves = self.results.get(number, []), self.leaves.get(number, [])
        behind = self.behind.get(number, {number})
        is_mixed = min(behind) < self.unseen
        runs_again = not behind.isdisjoint(self.run_again)
        if is_mixed or (runs_again and min(behind) < self.changed):
            see_gradients(Seen(), results, leaves, "ramp", caught)
            return False
        if how in TWICE and min(behind) < self.replaced:
            how = "ramp"
        elif runs_again or any(isinstance(x, Wrapper) for x in results):
            how = {"twice, argument": "twice"}.get(how, "first" if how in PARTS else how)
        see_gradients(seen, results, leaves, how, caught)
        return True

    # ---- Other steps ---------------------------------------------------------------------------

    def _backward(self, step: Backward) -> Seen:
        """See the gradients of an earlier call; skip those that may differ from eager's."""
        seen = Seen()
        is_compared = self._see_gradients(seen, step.step, step.how)
        return seen if is_compared else Seen({"skipped": True})

    def _write(self, number: int, step: Write) -> Seen:
        self.changed = number
        if UNSEEN.search(step.text):
            self.unseen = number
        given = self.arguments.get(step.step, {}) if step.name else self.results.get(step.step)
        written = given.get(step.name) if isinstance(given, dict) else (given or [None])[0]
        if not isinstance(written, Tensor) or written.layout != torch.strided:
            return Seen({"skipped": True})
        seen, before = Seen(), versions([written])
        try:
            exec(step.text, {"x": written, "torch": torch})
        except Exception as error:
            seen.facts["raises"] = raised(error)
        see_arguments(seen, [written], before)
        return seen

    def _change(self, number: int, step: Change) -> Seen:
        self.changed = number
        if UNSEEN.search(step.text):
            self.unseen = number
        namespace = {"m": self.object, "torch": torch, "nn": nn, "copy": copy}
        seen, memory = Seen(), [(x, storage(x)) for x in _parameters(self.object)]
        try:
            exec(step.text, namespace)
        except Exception as error:
            seen.facts["raises"] = raised(error)
        if any(storage(x) != was for x, was in memory):
            self.replaced = number
        self.object = namespace["m"]
        return seen

    def _threads(self, number: int, step: Threads) -> list[Seen]:
        if not self.is_compiled:
            return [
                seen
                for thread, calls in enumerate(step.threads)
                for seen in self._thread(number, thread, calls)
            ]
        turns = Turns(len(step.threads), step.seed)
        seen: list[list[Seen]] = [[] for _ in step.threads]

        def work(thread: int) -> None:
            with turns.taken(thread):
                seen[thread] += self._thread(number, thread, step.threads[thread])

        threads = [
            threading.Thread(target=work, args=(thread,), daemon=True)
            for thread in range(len(step.threads))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return [one for many in seen for one in many]

    def _thread(self, number: int, thread: int, calls: tuple[Call, ...]) -> list[Seen]:
        """Make a thread's calls; they are numbered beyond all steps."""
        first = FIRST_OF_THREADS + 10_000 * number + 100 * thread
        return [self._call(first + place, call) for place, call in enumerate(calls)]


def _found(values: Any, key: Any) -> Any:
    if key not in values:
        raise Skipped
    return values[key]


def _viewed(found: Any, view: str) -> Any:
    try:
        return eval(f"x{view}", {"x": found, "torch": torch}) if view else found
    except Exception:
        raise Skipped from None


def _parameters(program: Any) -> list[Tensor]:
    if not isinstance(program, nn.Module):
        return []
    return [*program.parameters(), *program.buffers()]


def run_history(program: Program, history: History, is_compiled: bool) -> list[list[Seen]]:
    """Run a whole history; return what was seen at each step."""
    world = World(program, is_compiled)
    return [world.run(number, step) for number, step in enumerate(history.steps)]


def run_fresh(program: Program, history: History, at: int) -> list[Seen]:
    """Run the steps before `at` in eager, and that one with a program compiled for it alone.

    Where gradients of an earlier call are asked for, that call is the one.
    """
    step = history.steps[at]
    compiled = step.step if isinstance(step, Backward) else at
    world = World(program, is_compiled=False)
    seen: list[Seen] = []
    for number, each in enumerate(history.steps[: at + 1]):
        if number != compiled or isinstance(each, Change):
            seen = world.run(number, each)
            continue
        eager = world.object
        world.object, world.is_compiled = program.compiled(eager), True
        seen = world.run(number, each)
        world.object, world.is_compiled = eager, False
    return seen
