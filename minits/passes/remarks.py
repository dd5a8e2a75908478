"""Remarks: what passes did and did not do, operator by operator, and what would change that.

    model.py:12:9: missed: aten::add is not in a kernel: aten::mm, which gives its operand, ...
        y = torch.mm(a, b) + c
            ^^^^^^^^^^^^^^^^^^
    help: apply it on the other side of aten::mm, if that means the same: alone it gains nothing

An operator of a library, such as torch's own Python, is told at the line of the program that led to
it, and all those of one line together.

As YAML, a document for each remark, in the manner of LLVM's optimisation records
(https://llvm.org/docs/Remarks.html). Scalars are written as JSON, which is YAML as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal

from minits.diagnostics import Diagnostic, Note
from minits.ir.graph import Node
from minits.ir.places import calls_of, place_in_program
from minits.library_files import path_as_imported
from minits.records import dataclass, replace
from minits.source import SourceRange

Kind = Literal["passed", "missed", "analysis"]


@dataclass(frozen=True, slots=True)
class Remark:
    """The outcome of a pass for one operator.

    `kind` is "passed" for what was optimised, "missed" for what was not, "analysis" for what led to
    it. `kernel` numbers the kernel that the operator is in. `blocked_by` is the kind of the
    operator that stood in the way, where that is another one. `fix` is the nearest change to the
    program that would fuse the operator.

    `code` is "fused", "index-map", "mutation-removed", "apart", or the reason: see `FIXES`; where
    an operator could be fused but for another one, `cut-off-by(that operator)`.
    """

    kind: Kind
    code: str
    message: str
    operator: str
    range: SourceRange | None = None
    kernel: int | None = None
    blocked_by: str | None = None
    fix: str | None = None
    calls: tuple[SourceRange, ...] = ()
    """The calls through which the operator was inlined, the outermost first."""
    cause: str = ""
    """The value that several operators have as their cause, which is told once (`told_once`)."""
    more: int = 0
    """The number of other operators with this cause that the remark stands for."""

    @property
    def place(self) -> SourceRange | None:
        """The range in the program: of the operator, or of the call of a library that has it."""
        return None if self.range is None else place_in_program(self.range, self.calls)

    @property
    def is_inside_library(self) -> bool:
        """Return whether the operator stands in a library, and the program only calls it."""
        return self.place is not self.range

    def __str__(self) -> str:
        """Return one line: the place in the program, the kind, the message and the code."""
        return self._diagnostic().headline()

    def render(self) -> str:
        """Return the remark as text, with the line of the program and a caret under the range."""
        return self._diagnostic().render()

    def _diagnostic(self) -> Diagnostic:
        notes: tuple[Note, ...] = ()
        fix = self.fix
        if self.is_inside_library:
            notes = (Note(f"it is in {location_in_library(self.range)}"),)
            fix = NO_CHANGE_OF_LIBRARY if self.code in _OF_LINES else fix
        return Diagnostic(self.place, self.code, self.message, notes, fix, self.kind)


def passed(node: Node, code: str, message: str, *, operator: str | None = None) -> Remark:
    """Make a remark on an operator; `operator` is its kind, if the node is of another by now."""
    kind = operator or node.kind
    return Remark("passed", code, message, kind, node.range, calls=calls_of(node))


def missed(node: Node, code: str, message: str, blocked_by: str | None = None) -> Remark:
    """Make a remark that names the nearest change that would help."""
    return Remark(
        "missed", code, message, node.kind, node.range, None, blocked_by,
        fix_for(code, blocked_by or node.kind), calls_of(node),
    )  # fmt: skip


def told_once(remarks: Iterable[Remark]) -> list[Remark]:
    """Return the remarks with one for each cause: the first of them, which counts the others.

    Operators of one line that the same keeps out of kernels have one cause, too.
    """
    found: dict[tuple[object, ...], list[Remark]] = {}
    for remark in remarks:
        key = (remark.code, *_cause_of(remark)) if remark.kind == "missed" else (id(remark),)
        found.setdefault(key, []).append(remark)
    return [_counted(*group) for group in found.values()]


def _cause_of(remark: Remark) -> tuple[object, ...]:
    if remark.cause:
        return (remark.cause,)
    place = remark.place
    at = None if place is None else (place.source.filename, place.begin.line)
    of_group = remark.message if remark.operator == "prim::FusionGroup" else None
    return remark.blocked_by or remark.operator, at, of_group


def _counted(first: Remark, *others: Remark) -> Remark:
    if not others:
        return first
    count = len(others)
    more = f"{count} more operator{'s are' if count > 1 else ' is'} in no kernel"
    return replace(first, message=f"{first.message}; {more} for the same reason", more=count)


# ---- Libraries ---------------------------------------------------------------------------------

NO_CHANGE_OF_LIBRARY = (
    "no change of this line: it is the library's that would have to change; write its operators in "
    "the program if they are to be fused"
)
_OF_LINES = frozenset(
    "control-flow side-effect-between aliased-mutation not-constant random reduction view parts "
    "shape".split()
)
"""The reasons whose cures are changes of the operator's own line."""


def location_in_library(loc: SourceRange | None) -> str:
    """Return `torch/nn/functional.py:2987`: the file as it is imported."""
    assert loc is not None
    name = loc.source.filename
    if name.startswith("<"):
        return "a function of torch"
    return f"{path_as_imported(name)}:{loc.begin.line}"


def folded(remarks: Iterable[Remark]) -> list[str]:
    """Return the remarks as texts; those of a library are one for each line of the program."""
    texts: list[str] = []
    inside: dict[tuple[str, SourceRange | None], list[Remark]] = {}
    for remark in remarks:
        if remark.is_inside_library:
            inside.setdefault((remark.kind, remark.place), []).append(remark)
    for remark in remarks:
        if not remark.is_inside_library:
            texts.append(remark.render())
            continue
        group = inside.pop((remark.kind, remark.place), [])
        if len(group) == 1:
            texts.append(remark.render())
        elif group:
            texts.append(_one_of(group))
    return texts


def _one_of(group: list[Remark]) -> str:
    """Return one remark for several of one line, with a note for each that is unlike the others."""
    first = group[0]._diagnostic()
    outcome = {"passed": "in kernels", "missed": "in no kernel", "analysis": "apart"}[group[0].kind]
    counted = dict.fromkeys((each.message, each.code) for each in group)
    notes = [Note(f"{message} [{code}]") for message, code in counted]
    file = location_in_library(group[0].range).partition(":")[0]
    count = len(group) + sum(each.more for each in group if not each.cause)
    message = f"{count} operators of {file} that this line runs are {outcome}"
    return Diagnostic(
        first.range, "inside-library", message, tuple(notes), None, first.severity
    ).render()


FIXES = {
    "not-elementwise": "no change: {op} runs by itself; put what is to be fused on one side of it",
    "control-flow": "write torch.where(condition, a, b), or make the condition a Final attribute",
    "side-effect-between": "move {op} before or after the operators that are to be fused",
    "aliased-mutation": "use the result of {functional} instead of writing with {op}",
    "dtype": "cast to a dtype that kernels compute with, such as x.float()",
    "device": "move the tensors to the CPU or to a CUDA device",
    "multi-device": "move the tensors to one device: y.to(x.device)",
    "unknown-type": "make the dtype and the number of dimensions the same in all branches and "
    "iterations, and independent of values that differ from call to call",
    "too-small": "no change: a kernel of its own would gain nothing",
    "not-constant": "write the argument as a literal, or make it a Final attribute",
    "random": "draw the random numbers first: noise = torch.rand_like(x), then use noise; for "
    "a module outside of training, call .eval()",
    "reduction": "reduce over the last dimensions, all reductions over the same ones",
    "view": "take the view of the tensors that are read, before computing with them",
    "parts": "join tensors of one size, at most eight of them",
    "shape": "return tensors of one shape from what is to be fused",
    "no-compiler": "install gcc, or name a C compiler: CC=/path/to/cc",
    "being-built": "call fn.warm_up(*args) first, or set MINITS_BUILD=now",
    "gradient": "leave the operator that is named out of what is fused, or call the program under "
    "torch.no_grad()",
    "hook": "remove the hook for calls that are to be fused across the module: handle.remove()",
    "observed": "call the program outside of it; write casts yourself instead of autocast's",
    "undefined": "annotate the parameter Optional[Tensor]: what is done without it is fused, too",
    "cut-off": "apply it on the other side of {op}, if that means the same: alone it gains nothing",
}
"""The reasons, and the nearest change for each. `{op}` is what stands in the way."""


def fix_for(code: str, operator: str) -> str | None:
    """Return the nearest change that would fuse what a reason kept apart."""
    text = FIXES.get("cut-off" if code.startswith("cut-off-by(") else code)
    functional = operator.removesuffix("_")
    return None if text is None else text.format(op=operator, functional=functional)


_TAGS = {"passed": "Passed", "missed": "Missed", "analysis": "Analysis"}


def to_yaml(remarks: Iterable[Remark], pass_name: str = "fuse") -> str:
    """Return the remarks as a stream of YAML documents."""
    return "".join(_document(remark, pass_name) for remark in remarks)


def _document(remark: Remark, pass_name: str) -> str:
    lines = [f"--- !{_TAGS[remark.kind]}", f"Pass: {pass_name}", f"Name: {_scalar(remark.code)}"]
    if remark.place is not None:
        line, column = remark.place.begin
        file = _scalar(remark.place.source.filename)
        lines.append(f"DebugLoc: {{ File: {file}, Line: {line}, Column: {column + 1} }}")
    lines.append(f"Function: {_scalar(remark.operator)}")
    lines.append("Args:")
    lines.append(f"  - String: {_scalar(remark.message)}")
    if remark.kernel is not None:
        lines.append(f"  - Kernel: {remark.kernel}")
    if remark.is_inside_library:
        lines.append(f"  - Inside: {_scalar(location_in_library(remark.range))}")
    if remark.blocked_by is not None:
        lines.append(f"  - BlockedBy: {_scalar(remark.blocked_by)}")
    if remark.fix is not None:
        lines.append(f"  - Fix: {_scalar(remark.fix)}")
    return "\n".join([*lines, "...", ""])


def _scalar(text: str) -> str:
    return json.dumps(text)
