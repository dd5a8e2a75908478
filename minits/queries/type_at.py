"""The type at a position of a program, and the refinement that gave it.

    def f(x: Optional[Tensor]):
        if x is not None:
            return x + 1     # Tensor, refined from Optional[Tensor] by line 2

The types are the compiler's. The line that a refinement comes from is the last test before the use
that proves this very type and reads a wider one.
"""

from __future__ import annotations

from minits.queries.describing import described, spelled
from minits.queries.record import Reading, Record, Test, Typed, contains, target_names
from minits.records import dataclass
from minits.source import Position, SourceRange
from minits.syntax import tree
from minits.types.types import Type


@dataclass(frozen=True, slots=True)
class Refinement:
    """A type that a test proved of a variable or place."""

    subject: str
    before: str
    after: str
    test: SourceRange

    def __str__(self) -> str:
        return f"refined from {self.before} by line {self.test.begin.line}"


@dataclass(frozen=True, slots=True)
class EndedRefinement:
    """A refinement that held before, and what ended it: an assignment, or the end of a branch."""

    refinement: Refinement
    assignment: SourceRange | None
    branch: SourceRange | None

    def __str__(self) -> str:
        proved = f"line {self.refinement.test.begin.line} refined it to {self.refinement.after}"
        if self.assignment is not None:
            return f"{proved}, until the assignment in line {self.assignment.begin.line}"
        assert self.branch is not None, "nothing else ends a refinement"
        first, last = self.branch.begin.line, self.branch.finish.line
        lines = f"line {first}" if first == last else f"lines {first} to {last}"
        return f"{proved} within {lines} only"


@dataclass(frozen=True, slots=True)
class TypeAt:
    """The expression at a position, and its type.

    types: more than one where a loop was unrolled, or the function compiled for several calls.
    """

    range: SourceRange
    types: tuple[str, ...]
    refinement: Refinement | None = None
    ended: EndedRefinement | None = None

    def __str__(self) -> str:
        why = self.refinement or self.ended
        return " or ".join(self.types) + (f", {why}" if why else "")


def type_at(record: Record, position: Position) -> TypeAt | None:
    """Return the type of the innermost expression at a position, None where none is known."""
    reading = record.reading_at(position)
    found = typed_at(record, position)
    if reading is None or found is None:
        return None
    same = [each for each in reading.typed if each.range == found.range]
    types = tuple(dict.fromkeys(described(each) for each in same))
    is_read = isinstance(found.node, (tree.Name, tree.Attribute, tree.Subscript)) and found.value
    if found.type is None or not is_read:
        return TypeAt(found.range, types)
    in_force, ended = _refinements(reading, found, found.type)
    return TypeAt(found.range, types, in_force, ended)


def typed_at(record: Record, position: Position) -> Typed | None:
    """Return the innermost expression or variable at a position, with its type."""
    reading = record.reading_at(position)
    if reading is None:
        return None
    around = [each for each in reading.typed if contains(each.range, position)]
    return min(around, key=lambda each: each.range.end - each.range.start, default=None)


def _refinements(
    reading: Reading, use: Typed, type: Type
) -> tuple[Refinement | None, EndedRefinement | None]:
    """Return the refinement in force at a use, or else the one that has ended before it."""
    subject = "".join(use.range.text.split())
    ended = None
    for test in reversed(reading.tests):
        proved = [after for name, after in test.proves if name == subject]
        if test.range.end > use.range.start or not proved:
            continue
        before = _type_in(reading, test, subject)
        if before is None:
            continue
        assignments = _assignments(reading, subject, test.range.end, use.range.start)
        branch = _left_behind(test, use.range)
        if branch is not None:  # what a branch assigns is merged at its end
            assignments = [each for each in assignments if each.start >= branch.end]
        for after in proved:
            found = Refinement(subject, spelled(before), spelled(after), test.range)
            if after == type and before != type and not assignments:
                return found, None
            if before == type and ended is None and (assignments or branch):
                ended = EndedRefinement(found, assignments[0] if assignments else None, branch)
    return None, ended


def _type_in(reading: Reading, test: Test, subject: str) -> Type | None:
    """Return the type that a test reads of what it refines."""
    for each in reading.typed:
        is_inside = test.range.start <= each.range.start and each.range.end <= test.range.end
        if is_inside and "".join(each.range.text.split()) == subject:
            return each.type
    return None


def _left_behind(test: Test, use: SourceRange) -> SourceRange | None:
    """Return the outermost statement around a test that a use comes after."""
    for statement in test.statements:
        if statement.range.end <= use.start:
            return statement.range
    return None


def _assignments(reading: Reading, subject: str, start: int, end: int) -> list[SourceRange]:
    """Return the assignments between two offsets of a variable, or of what a place begins with."""
    found = []
    for node in tree.walk(reading.definition):
        is_over = node.range.end <= end or isinstance(node, (tree.For, tree.With))
        if isinstance(node, tree.stmt) and is_over and start <= node.range.start < end:
            names = {target.id for target in target_names(node)} | _places(node)
            if any(_begins_with(subject, each) for each in names):
                found.append(node.range)
    return sorted(found, key=lambda each: each.start)


def _begins_with(place: str, name: str) -> bool:
    return place == name or place.startswith((f"{name}.", f"{name}["))


def _places(statement: tree.stmt) -> set[str]:
    """Return the attributes and items that a statement assigns."""
    match statement:
        case tree.Assign(targets=targets):
            pass
        case tree.AnnAssign(target=target) | tree.AugAssign(target=target):
            targets = (target,)
        case _:
            return set()
    places = [each for each in targets if isinstance(each, (tree.Attribute, tree.Subscript))]
    return {"".join(each.range.text.split()) for each in places}
