"""Files of recordings: JSON, which is checked when it is read, as it may be anybody's.

What reads a recording (`session.py`, `minits/report/run.py`) may then rely on its parts: that they
are there, that numbers of operations, frames and sources are those of some, and that each block
and call that ends has begun.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from minits.stepping.recording import FORMAT, Recording

_KINDS = ("call", "op", "enter", "block", "leave", "raise")


def write_recording(recording: Recording, path: Path) -> None:
    """Write a recording. Raises `OSError`."""
    text = json.dumps(recording, allow_nan=False, separators=(",", ":"))
    path.write_text(f"{text}\n", encoding="utf-8")


def read_recording(path: Path) -> Recording:
    """Read a recording. Raises `OSError`, and `ValueError` for a file that is none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise ValueError("its values are nested too deeply") from None
    check_recording(found)
    return dict(found)


def check_recording(found: Any) -> None:
    """Raise `ValueError` for what is no recording, with the first thing that is wrong in it."""
    _require(isinstance(found, dict), "it is no object of JSON")
    there = found.get("format")
    _require(there == FORMAT, f"its format is {there!r}, not {FORMAT!r}: record the run again")
    checked = _Checked(found)
    checked.texts()
    checked.graphs()
    checked.run()


class _Checked:
    """The parts of a recording, checked one after the other."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.sources = self._objects("sources")
        self.operations = self._objects("operations")
        self.graph_entries = self._objects("graphs")
        self.frames = self._objects("frames")
        self.steps = self._objects("steps")

    def _objects(self, name: str) -> list[dict[str, Any]]:
        found = self.recording.get(name)
        is_list = isinstance(found, list) and all(isinstance(each, dict) for each in found)
        _require(is_list, f"{name} is no list of objects")
        assert isinstance(found, list)
        return found

    def texts(self) -> None:
        """Check sources and operations, and how the run ended."""
        _text(self.recording, "program", "it")
        _require(isinstance(self.recording.get("cut"), bool), "cut is neither true nor false")
        for name in ("result", "error"):
            _require(name in self.recording, f"{name} is missing")
        if self.recording["result"] is not None:
            _summary(self.recording["result"], "result")
        if self.recording["error"] is not None:
            _text(self.recording, "error", "it")
        for number, source in enumerate(self.sources):
            place = f"sources[{number}]"
            _text(source, "file", place)
            _text(source, "text", place)
            _number(source, "first_line", place, least=1)
        for number, op in enumerate(self.operations):
            place = f"operations[{number}]"
            _text(op, "text", place)
            _text(op, "kind", place)
            for name in ("inputs", "outputs"):
                _require(_is_list_of(op.get(name), str), f"{place}.{name} is no list of texts")
            if "source" in op:
                _number(op, "source", place, below=len(self.sources))
                for name in ("line", "column", "end_line", "end_column"):
                    _number(op, name, place)

    def graphs(self) -> None:
        """Check which operations are of which graph: of one each, in their order."""
        end = 0
        for number, graph in enumerate(self.graph_entries):
            place = f"graphs[{number}]"
            _text(graph, "function", place)
            span: Any = graph.get("operations")
            is_next = _is_list_of(span, int) and len(span) == 2 and span[0] == end < span[1]
            _require(is_next, f"{place}.operations is not from {end} up to a larger number")
            end = graph["operations"][1]
        _require(end == len(self.operations), "operations are of no graph")

    def run(self) -> None:
        """Check frames and steps: what ends has begun."""
        _require(bool(self.steps), "it has no steps")
        opened: list[int] = []
        called: set[int] = set()
        for number, step in enumerate(self.steps):
            place = f"steps[{number}]"
            self._step(step, place)
            what, frame = step["what"], step["frame"]
            if what == "call":
                self._frame(frame, number)
                called.add(frame)
            elif what == "enter":
                opened.append(step["op"])
            elif what == "block":
                _require(opened[-1:] == [step["op"]], f"{place} is of no operation that has begun")
            elif what == "leave":
                _require(opened[-1:] == [step["op"]], f"{place} ends what has not begun")
                opened.pop()
            _require(frame in called, f"{place} is in a call that has not begun")

    def _step(self, step: dict[str, Any], place: str) -> None:
        what = step.get("what")
        _require(what in _KINDS, f"{place}.what is none of {', '.join(_KINDS)}")
        _number(step, "frame", place, below=len(self.frames))
        if what != "call":
            _number(step, "op", place, below=len(self.operations))
        if what == "block":
            _number(step, "block", place)
        if "iteration" in step:
            _number(step, "iteration", place)
        for name in ("error", "printed"):
            if name in step:
                _text(step, name, place)
        values = step.get("values", {})
        _require(isinstance(values, dict), f"{place}.values is no object")
        for name, value in values.items():
            _summary(value, f"{place}.values[{name!r}]")

    def _frame(self, number: int, begin: int) -> None:
        frame, place = self.frames[number], f"frames[{number}]"
        _number(frame, "graph", place, below=len(self.graph_entries))
        if frame.get("caller") is not None:
            _number(frame, "caller", place, below=begin)
        else:
            _require("caller" in frame, f"{place}.caller is missing")


def _require(is_so: bool, problem: str) -> None:
    if not is_so:
        raise ValueError(problem)


def _text(entry: dict[str, Any], name: str, place: str) -> None:
    _require(isinstance(entry.get(name), str), f"{place}.{name} is no text".removeprefix("it."))


def _number(
    entry: dict[str, Any], name: str, place: str, least: int = 0, below: int | None = None
) -> None:
    found = entry.get(name)
    is_number = isinstance(found, int) and not isinstance(found, bool) and found >= least
    _require(is_number, f"{place}.{name} is no number from {least} on")
    _require(below is None or entry[name] < below, f"{place}.{name} is {found}, of {below}")


def _is_list_of(found: Any, kind: type) -> bool:
    return isinstance(found, list) and all(type(each) is kind for each in found)


def _summary(found: Any, place: str) -> None:
    is_summary = isinstance(found, dict) and isinstance(found.get("text"), str)
    _require(is_summary, f"{place} is no summary of a value")
