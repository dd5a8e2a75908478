"""Each code of a remark that docs/fusion.md lists: a program, and what is said of it."""

from __future__ import annotations

import re
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest
import torch
from torch import Tensor

import minits
from minits.kernels.lowering.result import Code
from minits.passes.remarks import FIXES, Remark
from tests.passes import test_remarks as programs
from tests.passes.test_remarks import X, remarks_of

PAGE = Path(__file__).parents[2] / "docs" / "fusion.md"


def listed_codes() -> list[str]:
    """The codes in the first column of the page's table."""
    table = PAGE.read_text().split("Their codes:")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return re.findall(r"`([^`]+)`", "".join(cells))


def viewed(x: Tensor, y: Tensor):
    return x.t() * y + 1


def written(x: Tensor, y: Tensor):
    z = x * y
    z.add_(1)
    return z * 2


def drawn(x: Tensor):
    return torch.dropout(x * 2, 0.5, True) + 1


def without_derivative(x: Tensor, y: Tensor):
    return torch.heaviside(x, y) * 2 + x


def joined(x: Tensor, y: Tensor):
    return torch.cat([x, y]) * 2 + 1


def scaled(x: Tensor, y: Tensor):
    return torch.tanh(x * y)


def scaled_by_number(x: Tensor):
    return torch.tanh(x * 2)


def without_compiler() -> list[Remark]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CC", "no-such-compiler")
        script = minits.script(scaled)
        script(X, X)
        return list(script.remarks(X, X))


def while_building() -> list[Remark]:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setenv("MINITS_BUILD", "background")
        patch.setenv("MINITS_CACHE", folder)
        patch.setenv("MINITS_CFLAGS", "-O1")  # so that no kernel is loaded already
        script = minits.script(scaled)
        for _ in range(3):  # twice as it was written
            script(X, X)
        remarks = list(script.remarks(X, X))
        script.warm_up(X, X)
    return remarks


def of_gradients() -> list[Remark]:
    script, x = minits.script(without_derivative), X.clone().requires_grad_()
    script(x, X)
    return list(script.remarks(x, X))


def unused_mask(x: Tensor, mask: Tensor, is_masked: bool):
    if is_masked:
        return torch.relu(x + mask) * 2
    return torch.relu(x) * 2


def of_an_undefined_tensor() -> list[Remark]:
    return minits.script(unused_mask).remarks(X, None, False)


def under_autocast() -> list[Remark]:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return list(minits.script(scaled).remarks(X, X))


def with_a_hook_on_a_part() -> list[Remark]:
    compiled = minits.script(torch.nn.Sequential(torch.nn.Linear(3, 3)))
    compiled.get_submodule("0").register_forward_hook(lambda *_: None)
    return list(compiled.remarks(X))


Told = tuple[str, str, str, str | None]
"""Kind, operator, message and fix."""
GOLDEN: dict[str, tuple[Any, Told]] = {
    "fused": (
        (programs.fused, X, X),
        ("passed", "aten::mul", "aten::mul is in kernel 0", None),
    ),
    "index-map": (
        (viewed, X, X),
        ("passed", "aten::t", "aten::t is done by the indices of kernel 0", None),
    ),
    "mutation-removed": (
        (written, X, X),
        ("passed", "aten::add_", "aten::add_ is computed as aten::add: nobody else sees the tensor",
         None),
    ),
    "not-elementwise": (
        (programs.blocked, X, X),
        ("missed", "aten::mm", "aten::mm is not computed by kernels",
         "no change: aten::mm runs by itself; put what is to be fused on one side of it"),
    ),
    "cut-off-by": (
        (programs.blocked, X, X),
        ("missed", "aten::mul",
         "aten::mul could be in a kernel, but aten::mm, which reads its result, is in none",
         "apply it on the other side of aten::mm, if that means the same: alone it gains nothing"),
    ),
    "control-flow": (
        (programs.branch, X, 3),
        ("missed", "aten::mul", "aten::mul could be in a kernel, but its block ends after it",
         "write torch.where(condition, a, b), or make the condition a Final attribute"),
    ),
    "side-effect-between": (
        (programs.across_a_region, X, X),
        ("missed", "aten::mul", "aten::mul cannot be moved across prim::Enter to aten::add",
         "move prim::Enter before or after the operators that are to be fused"),
    ),
    "aliased-mutation": (
        (programs.written_between, X, X),
        ("missed", "aten::add_",
         "aten::add_ writes to a tensor that was made elsewhere, and that others may hold",
         "use the result of aten::add instead of writing with aten::add_"),
    ),
    "dtype": (
        (programs.complex_numbers, X.to(torch.complex64)),
        ("missed", "aten::mul", "kernels do not compute with complex64",
         "cast to a dtype that kernels compute with, such as x.float()"),
    ),
    "device": (
        partial(remarks_of, scaled_by_number, X, device="meta"),
        ("missed", "aten::mul", "there are no kernels for meta",
         "move the tensors to the CPU or to a CUDA device"),
    ),
    "multi-device": (
        partial(remarks_of, scaled, X, X, device="meta"),
        ("missed", "aten::mul", "the tensors are on cpu, meta",
         "move the tensors to one device: y.to(x.device)"),
    ),
    "unknown-type": (
        (programs.unknown, X, 6),
        ("missed", "aten::mul",
         "nothing is known of `x.to(...)`, neither its dtype nor how many dimensions it has",
         "make the dtype and the number of dimensions the same in all branches and iterations, "
         "and independent of values that differ from call to call"),
    ),
    "not-constant": (
        (programs.number_of_a_dimension, X, 1),
        ("missed", "aten::sum", "the argument dim of aten::sum is not a constant",
         "write the argument as a literal, or make it a Final attribute"),
    ),
    "random": (
        (drawn, X),
        ("analysis", "aten::bernoulli",
         "the random numbers of aten::dropout are drawn by torch, outside of kernels", None),
    ),
    "reduction": (
        (programs.first_dimension, X, X),
        ("missed", "aten::sum", "aten::sum over dimensions [0] of 2, which are not the last",
         "reduce over the last dimensions, all reductions over the same ones"),
    ),
    "view": (
        (programs.flat, X, X[0]),
        ("missed", "aten::add",
         "aten::add cannot be in one kernel with aten::mul: aten::view of what is broadcast is not"
         " an index map",
         "take the view of the tensors that are read, before computing with them"),
    ),
    "shape": (
        (programs.two_shapes, X, X[0]),
        ("missed", "aten::mul",
         "aten::mul cannot be in one kernel with aten::add: a result of shape (3,) in a group of"
         " (3, 3)",
         "return tensors of one shape from what is to be fused"),
    ),
    "parts": (
        (joined, X, X[:2]),
        ("missed", "aten::cat", "aten::cat of tensors of unlike sizes",
         "join tensors of one size, at most eight of them"),
    ),
    "too-small": (
        (programs.alone, X, X),
        ("missed", "aten::add", "aten::add has no neighbour that it could be in one kernel with",
         "no change: a kernel of its own would gain nothing"),
    ),
    "no-compiler": (
        without_compiler,
        ("missed", "prim::FusionGroup",
         "nothing is fused: there is no C compiler (CC=no-such-compiler not found); install gcc,"
         " or set CC",
         "install gcc, or name a C compiler: CC=/path/to/cc"),
    ),
    "being-built": (
        while_building,
        ("analysis", "prim::FusionGroup",
         "kernel_0 runs operator by operator: its kernel is being built",
         "call fn.warm_up(*args) first, or set MINITS_BUILD=now"),
    ),
    "gradient": (
        of_gradients,
        ("missed", "prim::FusionGroup",
         "kernel_0 runs operator by operator: derivative for aten::heaviside is not implemented",
         "leave the operator that is named out of what is fused, or call the program under"
         " torch.no_grad()"),
    ),
    "observed": (
        under_autocast,
        ("missed", "prim::FusionGroup",
         "nothing is fused under torch.autocast: it sees single operators",
         "call the program outside of it; write casts yourself instead of autocast's"),
    ),
    "hook": (
        with_a_hook_on_a_part,
        ("missed", "prim::CallMethod",
         "its operators are in no kernel with others: a part that has hooks is called as in Python",
         "remove the hook for calls that are to be fused across the module: handle.remove()"),
    ),
    "undefined": (
        of_an_undefined_tensor,
        ("missed", "prim::FusionGroup",
         "nothing is fused: an argument is None, and to the program it is a tensor",
         "annotate the parameter Optional[Tensor]: what is done without it is fused, too"),
    ),
}  # fmt: skip


def told(remark: Remark) -> Told:
    message = re.sub(r"%[\w.]+", "%x", remark.message)
    return remark.kind, remark.operator, message, remark.fix


def remarks_about(program: Any) -> list[Remark]:
    if isinstance(program, tuple):
        function, *arguments = program
        return remarks_of(function, *arguments)
    found: list[Remark] = program()
    return found


@pytest.mark.parametrize("code", list(GOLDEN))
def test_what_is_said(code: str) -> None:
    program, expected = GOLDEN[code]
    found = [each for each in remarks_about(program) if each.code.split("(")[0] == code]
    assert told(found[0]) == expected


def test_the_page_lists_all_codes() -> None:
    listed = {code.split("(")[0] for code in listed_codes()}
    passed = {"fused", "index-map", "mutation-removed"}
    assert listed == {*GOLDEN, "inside-library"}
    assert (listed - passed - {"cut-off-by", "inside-library"}) | {"cut-off"} == set(FIXES)
    assert set(get_args(Code)) < set(FIXES)
