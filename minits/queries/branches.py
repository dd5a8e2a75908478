"""The branches of a function that are not compiled, and why.

A test that is known while compiling decides what is compiled: `is None` of what is never None or
always, `hasattr`, `isinstance`, a Final attribute, `torch.jit.is_scripting()`.
"""

from __future__ import annotations

from collections.abc import Iterator

from minits.queries.describing import spelled
from minits.queries.record import Reading
from minits.records import dataclass
from minits.source import SourceRange
from minits.syntax import tree
from minits.types import types as t


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A branch that is not compiled: its lines, the test, and the reason that the test is known."""

    first: int
    last: int
    test: SourceRange
    truth: bool
    reason: str

    def __str__(self) -> str:
        truth = "true" if self.truth else "false"
        why = f": {self.reason}" if self.reason else ""
        text = " ".join(self.test.text.split())
        return f"`{text}` of line {self.test.begin.line} is {truth} while compiling{why}"

    def lines(self) -> str:
        """Return `line 7 is`, or `lines 7 to 9 are`."""
        if self.first == self.last:
            return f"line {self.first} is"
        return f"lines {self.first} to {self.last} are"


def left_out(reading: Reading) -> Iterator[LeftOut]:
    """Yield the branches of a function that are not compiled."""
    truths = {test.range: test.truth for test in reading.tests}
    for node in tree.walk(reading.definition):
        if not isinstance(node, tree.If):
            continue
        truth = truths.get(node.test.range)
        if truth is None:
            continue
        body = node.orelse if truth else node.body
        if body:
            first, last = body[0].range.begin.line, body[-1].range.finish.line
            yield LeftOut(first, last, node.test.range, truth, _reason(reading, node.test, truth))


def left_out_around(reading: Reading, line: int) -> LeftOut | None:
    """Return the branch that a line is in, if it is not compiled."""
    return next((each for each in left_out(reading) if each.first <= line <= each.last), None)


def left_out_by(reading: Reading, line: int) -> Iterator[str]:
    """Yield a sentence on each branch that a test in a line leaves out."""
    for each in left_out(reading):
        if each.test.begin.line <= line <= each.test.finish.line:
            yield f"{each.lines()} not compiled: {each}"


# ---- Why a test is known -------------------------------------------------------------------------


def _reason(reading: Reading, test: tree.expr, truth: bool) -> str:
    """Return why a test is known; empty where its text says it."""
    match test:
        case tree.UnaryOp(op="not", operand=operand):
            return _reason(reading, operand, not truth)
        case tree.BoolOp(values=values):
            known = {each.range: each.truth for each in reading.tests}
            deciding = [each for each in values if known.get(each.range) is truth]
            return _reason(reading, deciding[0], truth) if deciding else ""
        case tree.Compare(left=left, ops=("is" | "is not",), comparators=(right,)):
            return _of_none(reading, right if _is_none(left) else left)
        case tree.Call(func=tree.Name(id="isinstance"), args=(value, *_)):
            return f"{value.range.text} is of type {_type(reading, value)}"
        case tree.Call(func=tree.Name(id="hasattr"), args=(value, name)):
            has = "has" if truth else "has no"
            return f"{value.range.text} {has} attribute {name.range.text}"
        case tree.Call(func=func) if func.range.text.endswith("is_scripting"):
            return "it is compiled"
        case tree.Attribute():
            return f"{test.range.text} is a constant of the module, such as a Final attribute"
        case tree.Name():
            return f"{test.range.text} is a constant"
    return ""


def _is_none(node: tree.expr) -> bool:
    return isinstance(node, tree.Constant) and node.value is None


def _of_none(reading: Reading, value: tree.expr) -> str:
    type = _type(reading, value)
    if type == t.NONE.annotation:
        return f"{value.range.text} is always None"
    return f"{value.range.text} is of type {type}, and never None"


def _type(reading: Reading, node: tree.expr) -> str:
    for each in reversed(reading.typed):
        if each.range == node.range and each.type is not None:
            return spelled(each.type)
    return "unknown"
