"""What each walk over a row computes.

A row is walked over once for each stage of reductions and scans. What an earlier walk has computed
is kept in a buffer as long as the row if it is costly or summed, and computed again if not: for the
softmax of x / s,

    walk 0    kept: t = x / s         max(t)
    walk 1    kept: e = exp(t - m)    sum(e)
    walk 2    e / sum                 written

A scan's operand is written to such a buffer, which is scanned at the end of the walk: later walks
read the result there.
"""

from __future__ import annotations

from minits.kernels.ir.kernel import Kernel, Level, Scalar, stages
from minits.kernels.scalar_ops import SCALAR_OPS
from minits.records import dataclass, field

WORTH_KEEPING = 5
"""Values that cost more additions than this are kept: writing and reading costs about as much."""


@dataclass(eq=False, slots=True)
class Walk:
    """One walk: `values` are computed at each index, operands first.

    `reread` were kept by an earlier walk, `kept` are for later ones. `reductions` are accumulated,
    `scans` made in buffers, `outputs` (indices) written.
    """

    values: list[Scalar] = field(default_factory=list)
    reread: list[Scalar] = field(default_factory=list)
    kept: list[Scalar] = field(default_factory=list)
    reductions: list[Scalar] = field(default_factory=list)
    scans: list[Scalar] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)


def walks_of(kernel: Kernel) -> list[Walk]:
    """Return the walks, first to last; at least one."""
    stage = stages(kernel)
    kept = _worth_keeping(kernel)
    ending = [value for value in kernel.values if value.ends_walk]
    full = [i for i, output in enumerate(kernel.outputs) if output.value.level is Level.FULL]
    written = {i: stage[value] + value.is_scan for i in full for value in [kernel.outputs[i].value]}
    last = max([*written.values(), *[stage[value] for value in ending]], default=0)
    walks: list[Walk] = []
    computed: dict[Scalar, Walk] = {}
    for number in range(last + 1):
        walk = Walk()
        mine = [value for value in ending if stage[value] == number]
        walk.reductions = [value for value in mine if value.is_reduction]
        walk.scans = [value for value in mine if value.is_scan]
        walk.outputs = [i for i in full if written[i] == number]
        needed: set[Scalar] = set()
        stack = [operand for value in mine for operand in value.operands]
        stack += [kernel.outputs[i].value for i in walk.outputs]
        while stack:
            value = stack.pop()
            if value in needed or value.level is Level.ROW:
                continue
            needed.add(value)
            if not (value in computed and value in kept):
                stack += value.operands
        for value in kernel.values:
            if value not in needed:
                continue
            if value in computed and value in kept:
                walk.reread.append(value)
                if value not in computed[value].kept:
                    computed[value].kept.append(value)
            else:
                walk.values.append(value)
                computed.setdefault(value, walk)
        computed.update(dict.fromkeys(walk.scans, walk))
        walks.append(walk)
    return walks


def _worth_keeping(kernel: Kernel) -> set[Scalar]:
    """Return the values to be kept for later walks: costly ones, scans, sums' operands but loads.

    What is summed is written to memory in any case, and what is scanned.
    """
    costs = _costs(kernel)
    summed = {value.operands[0] for value in kernel.values if value.op == "sum"}
    return {
        value
        for value, cost in costs.items()
        if cost > WORTH_KEEPING or value.is_scan or (value in summed and value.operands)
    }


def _costs(kernel: Kernel) -> dict[Scalar, int]:
    """Return what computing each FULL value costs, with all that it is made of.

    What is scanned is read.
    """
    costs: dict[Scalar, int] = {}
    for value in kernel.values:
        row = SCALAR_OPS.get(value.op)
        own = row.cost if row is not None else 1
        below = 0 if value.is_scan else sum(costs[operand] for operand in value.operands)
        costs[value] = own + below if value.level is Level.FULL else 0
    return costs
