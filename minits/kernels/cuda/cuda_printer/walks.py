"""What each walk over a row computes."""

from __future__ import annotations

from minits.kernels.ir.kernel import Kernel, Level, Scalar, stages
from minits.records import dataclass, field


@dataclass(eq=False, slots=True)
class Walk:
    """One walk over a row.

    `values` are computed at each column, operands first; `kept` of them are needed by later walks
    and stay in registers. `reductions` are accumulated, `outputs` (indices) written. `scans` are
    made in memory, where later walks find those that they have `reread`.
    """

    values: list[Scalar] = field(default_factory=list)
    kept: list[Scalar] = field(default_factory=list)
    reductions: list[Scalar] = field(default_factory=list)
    scans: list[Scalar] = field(default_factory=list)
    reread: list[Scalar] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)


def walks_of(kernel: Kernel, keeps: bool) -> list[Walk]:
    """Return the walks, first to last.

    If `keeps`, a walk does not compute what an earlier one did.
    """
    stage = stages(kernel)
    full = [i for i, output in enumerate(kernel.outputs) if output.value.level is Level.FULL]
    ending = [value for value in kernel.values if value.ends_walk]
    written = {i: stage[value] + value.is_scan for i in full for value in [kernel.outputs[i].value]}
    last = max([*written.values(), *[stage[value] for value in ending]], default=-1)
    walks: list[Walk] = []
    made: dict[Scalar, Walk] = {}
    for number in range(last + 1):
        walk = Walk()
        mine = [value for value in ending if stage[value] == number]
        walk.reductions = [value for value in mine if value.is_reduction]
        walk.scans = [value for value in mine if value.is_scan]
        walk.outputs = [i for i in full if written[i] == number]
        roots = [operand for value in mine for operand in value.operands]
        roots += [kernel.outputs[i].value for i in walk.outputs]
        needed = _needed(roots, made if keeps else {})
        for value in kernel.values:
            if value not in needed:
                continue
            if value.is_scan:
                walk.reread.append(value)
                continue
            is_kept = keeps and value.op not in ("index", "position")
            earlier = made.get(value) if is_kept else None
            if earlier is None:
                walk.values.append(value)
            elif value not in earlier.kept:
                earlier.kept.append(value)
        made.update(dict.fromkeys(walk.values, walk))
        walks.append(walk)
    return walks


def _needed(roots: list[Scalar], made: dict[Scalar, Walk]) -> set[Scalar]:
    """Return the FULL values below the roots; those made already, and scans, are ends."""
    needed: set[Scalar] = set()
    stack = list(roots)
    while stack:
        value = stack.pop()
        if value in needed or value.level is not Level.FULL:
            continue
        needed.add(value)
        if value not in made and not value.is_scan:
            stack += value.operands
    return needed


def kept_values(kernel: Kernel) -> list[Scalar]:
    """Return the FULL values that stay in registers between walks."""
    return [value for walk in walks_of(kernel, keeps=True) for value in walk.kept]


def can_split(kernel: Kernel) -> bool:
    """Whether one walk does all, and nothing is written for each column."""
    is_full = any(output.value.level is Level.FULL for output in kernel.outputs)
    return not is_full and len(walks_of(kernel, keeps=False)) == 1
