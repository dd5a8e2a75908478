"""A place in a recorded run, which steps, breakpoints and watched values move.

    session = Session(recording)
    session.breakpoints.append(Breakpoint(session.recording, "25"))
    session.resume()            # forwards, to the breakpoint
    session.value("steps")      # the last summary of the program's variable `steps`
    session.step(-1)            # the operation before it

It stands at a step: an operation and what it gave. Constants are passed over, as they do nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Any, NamedTuple

from minits.ir.debug_names import split_name
from minits.source import SourceFile
from minits.stepping.recording import Recording
from minits.stepping.values import Summary

_PASSED_OVER = "prim::Constant"


class Place(NamedTuple):
    """A block that a step is in, and the trip of the loop that it is the body of."""

    op: int
    block: int
    iteration: int | None


class Breakpoint:
    """A breakpoint: `LINE`, `FILE:LINE`, `%VALUE`, a variable's name, or an operator's kind."""

    def __init__(self, recording: Recording, text: str) -> None:
        """Make it. Raises `ValueError` where nothing in the recording is meant by the text."""
        self.text = text
        operations, sources = recording["operations"], recording["sources"]
        ran = {step["op"] for step in recording["steps"] if "op" in step}
        self._ops = {number for number in ran if _is_meant(text, operations[number], sources)}
        named = {name for step in recording["steps"] for name in step.get("values", ())}
        self._names = {name for name in named if is_named(name, text)}
        if not self._ops and not self._names:
            raise ValueError(f"no operation that ran is at {text}, and no value is called so")

    def is_hit(self, step: dict[str, Any]) -> bool:
        """Return whether the step is where to stop."""
        at_op = step["what"] not in ("leave", "block") and step.get("op") in self._ops
        return bool(at_op) or any(name in self._names for name in step.get("values", ()))


def _is_meant(text: str, op: dict[str, Any], sources: list[dict[str, Any]]) -> bool:
    file, _, line = text.rpartition(":")
    if not (line.isdigit() and line.isascii()):
        return bool(op["kind"] == text)
    there = sources[op["source"]]["file"] if "source" in op else ""
    is_file = not file or there == file or PurePath(there).match(file)
    return is_file and op.get("line") == int(line)


def is_named(name: str, text: str) -> bool:
    """Return whether `text` means the value: `%steps.5`, or `steps`, the program's variable."""
    if text.startswith("%"):
        return name == text[1:]
    return name == text or (not name.isdigit() and split_name(name)[0] == text)


class Session:
    """A recorded run and a place in it. `at` is the number of the step."""

    def __init__(self, recording: Recording) -> None:
        """Begin at the first step. Raises `ValueError` for a recording without steps."""
        self.recording = recording
        self.steps: list[dict[str, Any]] = recording["steps"]
        self.operations: list[dict[str, Any]] = recording["operations"]
        if not self.steps:
            raise ValueError("the recording has no steps")
        self.at = 0
        self.breakpoints: list[Breakpoint] = []
        self.watched: dict[str, str] = {}
        self._depths: list[int] = []
        self._places: list[tuple[Place, ...]] = []
        self._given: dict[int, dict[str, list[int]]] = {}  # frame -> name -> steps, in order
        self._index()

    def _index(self) -> None:
        opened: list[tuple[Place, ...]] = []
        places: tuple[Place, ...] = ()
        for number, step in enumerate(self.steps):
            what = step["what"]
            if what == "leave":
                places = opened.pop()
            elif what == "call":
                places = ()
            elif what == "block":
                place = Place(step["op"], step["block"], step.get("iteration"))
                places = (*opened[-1], place)
            self._depths.append(len(opened))
            self._places.append(places)
            if what == "enter":
                opened.append(places)
            given = self._given.setdefault(step["frame"], {})
            for name in step.get("values", ()):
                given.setdefault(name, []).append(number)

    # ---- Moves -----------------------------------------------------------------------------------

    def step(self, by: int = 1) -> bool:
        """Go to the next step, or with -1 to the one before; return whether there is one."""
        return self._move(by, lambda _: True)

    def next(self, by: int = 1) -> bool:
        """Go to the next step, over the blocks and calls of this one."""
        depth = self._depths[self.at]
        return self._move(by, lambda number: self._depths[number] <= depth)

    def finish(self) -> bool:
        """Go to the end of the block or call that this step is in."""
        depth = self._depths[self.at]
        return self._move(1, lambda number: self._depths[number] < depth)

    def resume(self, by: int = 1) -> str:
        """Go on, or back, to a breakpoint or a change of a watched value; return what stopped it.

        At an error, and at the ends of the run, it stops by itself.
        """
        watched = {name: self.watched_value(name) for name in self.watched}
        while self.step(by):
            step = self.steps[self.at]
            if step["what"] == "raise":
                return "the program raised"
            hit = [each.text for each in self.breakpoints if each.is_hit(step)]
            if hit:
                return f"breakpoint {hit[0]}"
            changed = [name for name in self.watched if self.watched_value(name) != watched[name]]
            if changed:
                return f"{changed[0]} changed"
        return "the end of the run" if by > 0 else "the beginning of the run"

    def _move(self, by: int, is_wanted: Callable[[int], bool]) -> bool:
        number = self.at + by
        while 0 <= number < len(self.steps):
            if not self._is_passed_over(number) and is_wanted(number):
                self.at = number
                return True
            number += by
        return False

    def _is_passed_over(self, number: int) -> bool:
        step = self.steps[number]
        if step["what"] != "op":
            return False
        return bool(self.operations[step["op"]]["kind"] == _PASSED_OVER)

    # ---- Questions -------------------------------------------------------------------------------

    @property
    def _function(self) -> str:
        return self.function(self.steps[self.at]["frame"])

    def function(self, frame: int) -> str:
        """Return the name of the function of a call."""
        graph = self.recording["frames"][frame]["graph"]
        return str(self.recording["graphs"][graph]["function"])

    @property
    def is_last(self) -> bool:
        """Return whether no step follows."""
        return all(map(self._is_passed_over, range(self.at + 1, len(self.steps))))

    @property
    def places(self) -> tuple[Place, ...]:
        """The blocks of this frame that the step is in, the outermost first."""
        return self._places[self.at]

    def watch(self, text: str) -> None:
        """Watch a value or variable of the function that runs."""
        self.watched[text] = self._function

    def watched_value(self, text: str) -> Summary | None:
        """Return the summary of what is watched, in the innermost call of its function."""
        for function, number in self.calls():
            if function == self.watched[text]:
                found = self.values(text, self.steps[number]["frame"])
                return found[-1][1] if found else None
        return None

    def value(self, text: str) -> Summary | None:
        """Return the summary of a value or variable of this frame, as it is after this step."""
        found = self.values(text)
        return found[-1][1] if found else None

    def values(self, text: str = "", frame: int | None = None) -> list[tuple[str, Summary]]:
        """Return the values that `text` means, or all; the last one given is last.

        They are those of this frame, if no other is named.
        """
        latest: list[tuple[int, str]] = []
        named = self._given[self.steps[self.at]["frame"] if frame is None else frame]
        for name, numbers in named.items():
            if not text or is_named(name, text):
                count = bisect_right(numbers, self.at)
                if count:
                    latest.append((numbers[count - 1], name))
        return [(name, self.steps[number]["values"][name]) for number, name in sorted(latest)]

    def calls(self) -> Iterator[tuple[str, int]]:
        """Yield the functions whose calls run, with the step that each is at, innermost first."""
        number: int | None = self.at
        while number is not None:
            frame = self.steps[number]["frame"]
            yield self.function(frame), number
            number = self.recording["frames"][frame]["caller"]

    def line_of(self, number: int) -> tuple[str, int] | None:
        """Return the file and line of a step; of a call, the first line of what ran in it."""
        step = self.steps[number]
        if "op" in step:
            return self._line(step["op"])
        inside = {
            each["op"] for each in self.steps if each["frame"] == step["frame"] and "op" in each
        }
        return min((line for op in inside if (line := self._line(op))), default=None)

    def _line(self, number: int) -> tuple[str, int] | None:
        op = self.operations[number]
        if "source" not in op:
            return None
        return self.recording["sources"][op["source"]]["file"], op["line"]

    def source_lines(self, around: int = 0) -> list[tuple[int, str]]:
        """Return the line of this step, with some around it."""
        place = self.line_of(self.at)
        if place is None:
            return []
        file, line = place
        found: dict[int, str] = {}
        for source in self.recording["sources"]:
            if source["file"] == file:
                text = SourceFile(file, source["text"], source["first_line"])
                numbers = range(text.first_line, text.first_line + len(text.line_starts))
                found |= {number: text.line(number) for number in numbers}
        wanted = range(line - around, line + around + 1)
        return [(number, found[number]) for number in wanted if number in found]
