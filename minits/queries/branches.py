"""The branches of a function that are not compiled, and why.

A test that is known while compiling decides what is compiled: `is None` of what is never None or
always, `hasattr`, `isinstance`, a Final attribute, `torch.jit.is_scripting()`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from minits.queries.describing import spelled
from minits.queries.record import Reading
from minits.records import dataclass
from minits.source import SourceRange
from minits.syntax import tree
from minits.types import types as t


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A branch that is not compiled: its range, the test, and the reason that the test is known.

    is_statement: whether it is one of an if statement, and not of `a if test else b`.
    """

    range: SourceRange
    test: SourceRange
    truth: bool
    reason: str
    is_statement: bool

    def __str__(self) -> str:
        truth = "true" if self.truth else "false"
        why = f": {self.reason}" if self.reason else ""
        text = " ".join(self.test.text.split())
        return f"`{text}` of line {self.test.begin.line} is {truth} while compiling{why}"

    def subject(self) -> str:
        """Return `line 7 is`, `lines 7 to 9 are`, or the text of an expression."""
        first, last = self.range.begin.line, self.range.finish.line
        if not self.is_statement:
            return f"`{' '.join(self.range.text.split())}` is"
        return f"line {first} is" if first == last else f"lines {first} to {last} are"


def left_out(reading: Reading) -> Iterator[LeftOut]:
    """Yield the branches of a function that are not compiled."""
    truths = {test.range: test.truth for test in reading.tests}
    for node in tree.walk(reading.definition):
        if not isinstance(node, (tree.If, tree.IfExp)):
            continue
        truth = truths.get(node.test.range)
        if truth is None:
            continue
        branch = _range_of(node.orelse if truth else node.body)
        if branch is not None:
            reason = _reason(reading, node.test, truth)
            yield LeftOut(branch, node.test.range, truth, reason, isinstance(node, tree.If))


def _range_of(branch: tree.expr | Sequence[tree.stmt]) -> SourceRange | None:
    if isinstance(branch, tree.Node):
        return branch.range
    if not branch:
        return None
    first, last = branch[0].range, branch[-1].range
    return SourceRange(first.source, first.start, last.end)


def left_out_around(reading: Reading, line: int) -> LeftOut | None:
    """Return the branch that a line is in, if it is not compiled."""
    return next(
        (
            each
            for each in left_out(reading)
            if each.is_statement and each.range.begin.line <= line <= each.range.finish.line
        ),
        None,
    )


def left_out_by(reading: Reading, line: int) -> Iterator[str]:
    """Yield a sentence on each branch that a test in a line leaves out."""
    for each in left_out(reading):
        if each.test.begin.line <= line <= each.test.finish.line:
            yield f"{each.subject()} not compiled: {each}"


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
