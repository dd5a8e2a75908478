"""Conditions that fail: their other operands are checked, and something is known of them even so.

    if x is not None and x.summ() > 0 and x.maxx() > 0:      two faults
        y = x.absolut()                                      and one more: x is no Optional here

Each operand is emitted with what the ones before it tell of variables. Of the variables that are
named by an operand that failed nothing is known.

    if torch.jit.is_scripting() or unknown:                  always true, so that what comes in
                                                             `else` is not compiled
"""

from __future__ import annotations

from contextlib import suppress

from minits.diagnostics import CompileError, Faults, with_faults_of
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.environment import Environment
from minits.frontend.values.error_value import ErrorValue
from minits.frontend.values.lone_parts import forget_within, names_told_of, unused_block
from minits.frontend.values.narrowing import refine
from minits.frontend.values.refinement import FailedCondition, RefinementSet
from minits.syntax import tree
from minits.syntax.torch_ranges import origin

NONE_AS_BOOL = "value of type NoneType to bool"
"""The end of the message for a condition that is None."""


def condition_failed(emitter: Emitter, node: tree.expr, fault: CompileError) -> CompileError:
    """Return the error of a condition with those of its other operands; raise it `from None`.

    Notes in `emitter.failed_conditions` what is known of the condition even so.
    """
    failed = emitter.failed_conditions
    failed.pop(node, None)  # of another iteration of a loop that is unrolled
    if isinstance(node, tree.BoolOp):
        operands = _Operands(emitter, node, emitter.failed_test)
        fault = with_faults_of(fault, operands.emit)
        failed[node] = operands.known()
    elif isinstance(node, tree.UnaryOp) and node.op == "not" and node.operand in failed:
        failed[node] = failed[node.operand].not_()
    else:
        is_none = any(each.message.endswith(NONE_AS_BOOL) for each in fault.diagnostics)
        is_negated = isinstance(node, tree.UnaryOp) and node.op == "not"
        truth = is_negated if is_none else None  # as in Python
        failed[node] = FailedCondition(tuple(names_told_of(emitter, node)), truth=truth)
    emitter.failed_test = node
    return fault


class _Operands:
    """The operands of `and` or `or`, emitted one after the other although some of them fail.

    failed: the one that is known to fail, which is not emitted again.
    """

    def __init__(self, emitter: Emitter, node: tree.BoolOp, failed: tree.expr | None) -> None:
        self.emitter, self.node, self.failed = emitter, node, failed
        self.is_or = node.op == "or"
        self.unknown: list[str] = []
        self.told = RefinementSet()
        """As `when_true`: the refinements that hold where all operands are evaluated."""
        self.truths: list[bool | None] = []

    def emit(self) -> None:
        """Emit the operands. Raises `CompileError` with their faults, but for the known one."""
        faults = Faults()
        with unused_block(self.emitter) as environment:
            for operand in self.node.values:
                is_emitted = False
                if operand is not self.failed:
                    with faults.gathered():
                        condition = self.emitter.emit_condition(operand)
                        self._add(operand, condition.refinements, condition.static)
                        is_emitted = True
                if not is_emitted:
                    self._add_failed(operand, environment)
        forget_within(self.emitter.environment, environment)
        faults.raise_all()

    def known(self) -> FailedCondition:
        """Return the knowledge of the whole, once the operands are emitted."""
        told = self.told.when_true
        refinements = RefinementSet((), told) if self.is_or else RefinementSet(told, ())
        truth = self.is_or if self.is_or in self.truths else None
        return FailedCondition(tuple(self.unknown), refinements, truth)

    def _add(self, operand: tree.expr, told: RefinementSet, truth: bool | None) -> None:
        """Note what an operand tells where the next one is evaluated, and its truth."""
        self.truths.append(truth)
        next_told = told.when_false if self.is_or else told.when_true
        refine(self.emitter, origin(operand), next_told)
        self.told = self.told.and_(RefinementSet(next_told))

    def _add_failed(self, operand: tree.expr, environment: Environment) -> None:
        known = self.emitter.failed_conditions.get(operand, FailedCondition(()))
        self.unknown += known.unknown
        environment.values.update((name, ErrorValue()) for name in known.unknown)
        told = RefinementSet(known.told(True), known.told(False))
        with suppress(CompileError):
            self._add(operand, told, known.truth)
