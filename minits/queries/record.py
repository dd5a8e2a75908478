"""The types that the compiler finds in the functions of one file.

    record = Record(filename)
    with observing(record):
        minits.script(function)
    type_at(record, Position(line=4, column=11))

A function may be emitted more than once (`frontend/extended/definition.py`); its last reading by
the rules of its own dialect counts.
"""

from __future__ import annotations

from collections.abc import Iterator

from minits.frontend.values.emitter import Emitter
from minits.frontend.values.error_value import ErrorValue
from minits.frontend.values.function import CompiledFunction
from minits.frontend.values.observing import Observer
from minits.frontend.values.refinement import Condition
from minits.frontend.values.simple_value import as_simple
from minits.frontend.values.sugared_value import SugaredValue
from minits.identity import Identity
from minits.records import dataclass
from minits.source import Position, SourceFile, SourceRange
from minits.syntax import tree
from minits.types.types import Type


@dataclass(frozen=True, slots=True)
class Typed:
    """An expression or variable with its type; what is no value of the graph has none."""

    node: tree.Node
    range: SourceRange
    type: Type | None
    value: SugaredValue | None = None


@dataclass(frozen=True, slots=True)
class Test:
    """A test, and the types that it proves of variables and places.

    statements: those that it is in, from the outside in.
    proves: the texts of what is refined, each with its type when the test holds, or does not.
    """

    range: SourceRange
    statements: tuple[tree.stmt, ...]
    proves: tuple[tuple[str, Type], ...]
    truth: bool | None


class Reading:
    """One emission of a function: the types of its expressions, and its tests."""

    def __init__(self, function: CompiledFunction) -> None:
        self.function = function
        self.definition = function.definition
        self.typed: list[Typed] = []
        self.tests: list[Test] = []
        self.statements: list[tree.stmt] = []
        """The statements that are being emitted, from the outside in."""
        self.own_nodes = {id(node) for node in tree.walk(function.definition)}

    @property
    def range(self) -> SourceRange:
        return self.definition.range


class Record(Observer):
    """The readings of the functions of a file. See `observing`."""

    def __init__(self, *filenames: str) -> None:
        """Record the functions of one file, which may have several names."""
        self.filenames = frozenset(filenames)
        self._readings: dict[Position, Reading] = {}
        self._in_progress: dict[Identity, Reading] = {}

    @property
    def readings(self) -> list[Reading]:
        return list(self._readings.values())

    def reading_at(self, position: Position) -> Reading | None:
        """Return the reading of the innermost function around a position of the file."""
        around = [each for each in self.readings if contains(each.range, position)]
        return min(around, key=lambda each: each.range.end - each.range.start, default=None)

    # ---- What the emitter tells ----------------------------------------------------------------

    def begin(self, emitter: Emitter) -> None:
        self._in_progress.pop(Identity(emitter), None)
        function = emitter.function
        loc = function.definition.range
        if loc.source.filename not in self.filenames or emitter.dialect != function.dialect:
            return
        reading = Reading(function)
        self._readings[loc.begin] = self._in_progress[Identity(emitter)] = reading
        for parameter in _parameters(function.definition.args):
            name = SourceRange(
                loc.source, parameter.range.start, parameter.range.start + len(parameter.arg)
            )
            type = emitter.environment.type_of(parameter.arg)
            reading.typed.append(Typed(parameter, name, type))

    def enter(self, emitter: Emitter, statement: tree.stmt) -> None:
        reading = self._in_progress.get(Identity(emitter))
        if reading is None:
            return
        if reading.statements:  # a loop's variables have their types once its body begins
            _note_targets(reading, emitter, reading.statements[-1])
        reading.statements.append(statement)

    def leave(self, emitter: Emitter, statement: tree.stmt, is_emitted: bool) -> None:
        reading = self._in_progress.get(Identity(emitter))
        if reading is None:
            return
        reading.statements.pop()
        if is_emitted:
            _note_targets(reading, emitter, statement)

    def expression(self, emitter: Emitter, node: tree.expr, value: SugaredValue) -> None:
        reading = self._in_progress.get(Identity(emitter))
        if reading is not None and _is_written(reading, node) and not is_error(value):
            simple = as_simple(value) or getattr(value, "value", None)
            type = getattr(simple, "type", None)
            reading.typed.append(Typed(node, node.range, type, value))

    def condition(self, emitter: Emitter, node: tree.expr, condition: Condition) -> None:
        reading = self._in_progress.get(Identity(emitter))
        if reading is None or not reading.statements:
            return
        known = condition.refinements
        proves = tuple((_subject(key), type) for key, type in (*known.when_true, *known.when_false))
        test = Test(node.range, tuple(reading.statements), proves, condition.static)
        reading.tests.append(test)


def is_error(value: SugaredValue) -> bool:
    """Return whether a value stands for one of which an error has been told."""
    return isinstance(value, ErrorValue)


def _parameters(arguments: tree.arguments) -> Iterator[tree.arg]:
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)


def _is_written(reading: Reading, node: tree.expr) -> bool:
    """Return whether a node is in the user's text, and not made from it by the compiler."""
    if id(node) not in reading.own_nodes:
        return False
    return not isinstance(node, tree.Name) or node.range.text == node.id


def _subject(key: object) -> str:
    """Return the text of what a refinement is about: a variable, or a place such as `self.bias`.

    The extended dialect keeps the value of a place in a variable `$self.bias`.
    """
    text: str = getattr(key, "name", "") or getattr(key, "text", "")
    return text.removeprefix("$")


def _note_targets(reading: Reading, emitter: Emitter, statement: tree.stmt) -> None:
    """Note the types of the variables that a statement itself assigns."""
    for target in target_names(statement):
        if id(target) not in reading.own_nodes:
            continue
        type = emitter.environment.type_of(target.id)
        if type is not None:
            reading.own_nodes.discard(id(target))  # once: a loop's body has many statements
            reading.typed.append(Typed(target, target.range, type))


def target_names(statement: tree.stmt) -> Iterator[tree.Name]:
    """Yield the variables that a statement assigns, but none of the statements in it."""
    match statement:
        case tree.Assign(targets=targets):
            yield from _names(targets)
        case tree.AnnAssign(target=target) | tree.AugAssign(target=target):
            yield from _names((target,))
        case tree.For(target=target):
            yield from _names((target,))
        case tree.With(items=items):
            yield from _names(item.optional_vars for item in items if item.optional_vars)


def _names(targets: Iterator[tree.expr] | tuple[tree.expr, ...]) -> Iterator[tree.Name]:
    for target in targets:
        match target:
            case tree.Name():
                yield target
            case tree.Tuple(elts=items) | tree.List(elts=items):
                yield from _names(items)
            case tree.Starred(value=value):
                yield from _names((value,))


# ---- Positions -----------------------------------------------------------------------------------


def offset_of(source: SourceFile, position: Position) -> int | None:
    """Return the offset of a file position in a text, None where the text does not have it."""
    index = position.line - source.first_line
    starts = source.line_starts
    if not 0 <= index < len(starts):
        return None
    line = source.line(position.line)
    if not line.isascii():
        prefix = line.encode("utf-8", "surrogatepass")[: position.column]
        return starts[index] + len(prefix.decode("utf-8", "ignore"))
    return starts[index] + min(position.column, len(line))


def contains(loc: SourceRange, position: Position) -> bool:
    """Return whether a position is in a range, or at its end."""
    offset = offset_of(loc.source, position)
    return offset is not None and loc.start <= offset <= loc.end
