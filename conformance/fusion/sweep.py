"""The test of each operator of the database: whether it fuses, and gives the results of eager.

An operator fuses in a program if nothing that computes is left outside of its kernels. The results
are compared as those of random programs are: eager, the interpreter, numpy's oracle and the kernel,
within what rounding does to them (`conformance.fuzz.check`); those of eager exactly in shape, dtype
and strides, also where one compiled program is called with other sizes (`sizes.py`).
"""

from __future__ import annotations

import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

import torch
from torch import Tensor

import minits
from conformance.fusion.database import operators
from conformance.fusion.programs import programs
from conformance.fusion.sizes import check_sizes_in_turn, strides_of
from conformance.fuzz.check import Counts, check
from conformance.fuzz.programs import Program
from conformance.fuzz.search import prepare
from minits.ir.graph import Graph
from minits.kernels.lowering import LOWERINGS
from minits.kernels.lowering.sizes import is_size
from minits.passes.remarks import Remark

DTYPES: dict[str, torch.dtype] = {
    "f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "bf16": torch.bfloat16,
    "i64": torch.int64, "bool": torch.bool, "c64": torch.complex64,
}  # fmt: skip
"""The columns of the table."""
NO_PROGRAM = "not TorchScript"
"""The reason of what minits refuses, as torch.jit does."""


@dataclass(slots=True)
class Found:
    """The findings on an operator at one dtype: the numbers of samples and of those that fuse."""

    samples: int = 0
    fused: int = 0
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Why the others do not: the remark's code and message."""
    faults: list[str] = field(default_factory=list)
    """Results that are not eager's, as text."""


Row = dict[str, Found]
"""What was found of an operator, by the names of dtypes that it takes."""


def sweep(
    names: Sequence[str],
    dtypes: Sequence[str],
    most: int,
    jobs: int,
    folder: str,
    compares: bool = True,
) -> Iterator[tuple[str, Row]]:
    """Yield the findings on each operator in turn, or on those whose names are given.

    `most` samples are tried at each dtype. Kernels are kept in `folder`; none are built, and no
    results compared, unless it `compares`.
    """
    chosen = [each.name for each in operators() if not names or each.name in names]
    if jobs == 1:
        prepare(folder)
        yield from zip(chosen, (find(name, dtypes, most, compares) for name in chosen), strict=True)
        return
    with ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=prepare, initargs=(folder,)
    ) as pool:
        tasks = [pool.submit(find, name, dtypes, most, compares) for name in chosen]
        for name, task in zip(chosen, tasks, strict=True):
            yield name, task.result()


def find(name: str, dtypes: Sequence[str], most: int, compares: bool = True) -> Row:
    """Try an operator at each dtype that torch says it takes."""
    operator = next(each for each in operators() if each.name == name)
    row: Row = {}
    for short in dtypes:
        if operator.info.supports_dtype(DTYPES[short], "cpu"):
            found = Found()
            for program in programs(operator, DTYPES[short], most):
                _try(program, found, compares)
            if found.samples:
                row[short] = found
    return row


def _try(program: Program, found: Found, compares: bool) -> None:
    found.samples += 1
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = minits.script(program.function())
    except minits.CompileError as error:
        found.reasons[NO_PROGRAM, str(error).splitlines()[0]] += 1
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plan = compiled.plan_for(*program.arguments)
            reason = _reason(plan.graph, plan.remarks_on_operators)
            if reason is not None:
                found.reasons[reason] += 1
            else:
                found.fused += 1
            if plan.groups and compares:
                check(program, Counts())
                _check_strides(program, compiled(*program.arguments))
                check_sizes_in_turn(program, compiled)
    except Exception as fault:
        last = traceback.extract_tb(fault.__traceback__)[-1]
        where = f"{last.filename.rpartition('/')[2]}:{last.lineno}"
        found.faults.append(f"{type(fault).__name__} at {where}: {fault}\n{program}")


def _check_strides(program: Program, results: Sequence[Tensor]) -> None:
    for mine, theirs in zip(results, program.function()(*program.arguments), strict=True):
        if strides_of(mine) != strides_of(theirs):
            raise AssertionError(f"strides {mine.stride()} for {theirs.stride()}")


def _reason(graph: Graph, remarks: Sequence[Remark]) -> tuple[str, str] | None:
    """The reason for which an operator is computed outside of kernels; None if none is."""
    left = [node.kind for node in graph.all_nodes() if _computes(node)]
    if not left:
        return None
    missed = [remark for remark in remarks if remark.kind == "missed"]
    own = [r for r in missed if r.operator in left and not r.code.startswith("cut-off-by")]
    for remark in sorted(own, key=lambda each: each.operator == "aten::clone"):
        return remark.code, remark.message
    return "not-elementwise", f"{left[0]} is not computed by kernels"


def _computes(node: Any) -> bool:
    """Whether a node is an operator on elements, not a view or a question."""
    if not node.kind.startswith("aten::") or is_size(node):
        return False
    if not any("Tensor" in str(value.type) for value in node.outputs):
        return False
    row = LOWERINGS.get(node.kind)
    return row is None or (row.views is None and not row.is_view)
