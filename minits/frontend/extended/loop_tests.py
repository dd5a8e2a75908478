"""Loops that test for None, in the extended dialect: the condition refines the body.

    while x is not None:         =        while x is not None:
        total += x                            x_given = x
        x = following(x)                      assert x_given is not None
                                              total += x_given
                                              x = following(x_given)

After a loop without `break` the opposite holds.
"""

from __future__ import annotations

from minits.frontend.emit import loops
from minits.frontend.extended.flow_facts import flow_state_of
from minits.frontend.extended.keys import PathKey
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.narrowing import refine
from minits.syntax import tree
from minits.syntax.blocks import has_break
from minits.syntax.torch_ranges import origin


def emit_while(emitter: Emitter, statement: tree.While) -> bool:
    """Emit a `while`; return False while a function is read by torch's rules."""
    if flow_state_of(emitter) is None:
        return False
    loc = origin(statement)
    tested = loops.emit_loop(
        emitter,
        loc,
        statement,
        lambda: emitter.emit_statements(statement.body),
        condition=lambda: emitter.emit_condition(statement.test),
    )
    if tested is not None and not has_break(statement.body):
        refined = tested.refinements.when_false
        of_variables = tuple(each for each in refined if not isinstance(each[0], PathKey))
        refine(emitter, loc, of_variables)
    return True
