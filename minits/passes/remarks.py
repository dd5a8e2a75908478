"""Remarks: what passes did and did not do, operator by operator, and what would change that.

    model.py:12:9: missed: aten::add is not in a kernel: aten::mm, which gives its operand, ...
        y = torch.mm(a, b) + c
            ^^^^^^^^^^^^^^^^^^
    help: move aten::mm before or after the operators that are to be fused

As YAML, a document for each remark, in the manner of LLVM's optimisation records
(https://llvm.org/docs/Remarks.html). Scalars are written as JSON, which is YAML as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Literal

from minits.diagnostics import Diagnostic
from minits.ir.graph import Node
from minits.records import dataclass
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

    def render(self) -> str:
        """Return the remark as text, with the line of the program and a caret under the range."""
        return Diagnostic(self.range, self.code, self.message, (), self.fix, self.kind).render()


def passed(node: Node, code: str, message: str, kernel: int | None = None) -> Remark:
    return Remark("passed", code, message, node.kind, node.range, kernel)


def missed(node: Node, code: str, message: str, blocked_by: str | None = None) -> Remark:
    """Make a remark that names the nearest change that would help."""
    return Remark(
        "missed", code, message, node.kind, node.range, None, blocked_by,
        fix_for(code, blocked_by or node.kind),
    )  # fmt: skip


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
    "observed": "call the program outside of it; write casts yourself instead of autocast's",
    "undefined": "annotate the parameter Optional[Tensor]: what is done without it is fused, too",
    "cut-off": "move {op} before or after the operators that are to be fused",
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
    if remark.range is not None:
        line, column = remark.range.begin
        file = _scalar(remark.range.source.filename)
        lines.append(f"DebugLoc: {{ File: {file}, Line: {line}, Column: {column + 1} }}")
    lines.append(f"Function: {_scalar(remark.operator)}")
    lines.append("Args:")
    lines.append(f"  - String: {_scalar(remark.message)}")
    if remark.kernel is not None:
        lines.append(f"  - Kernel: {remark.kernel}")
    if remark.blocked_by is not None:
        lines.append(f"  - BlockedBy: {_scalar(remark.blocked_by)}")
    if remark.fix is not None:
        lines.append(f"  - Fix: {_scalar(remark.fix)}")
    return "\n".join([*lines, "...", ""])


def _scalar(text: str) -> str:
    return json.dumps(text)
