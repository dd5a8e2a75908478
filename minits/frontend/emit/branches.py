"""If statements: two branches, and the variables that hold after both.

A condition that is known while compiling has the branch taken compiled alone. A variable that both
branches assign, or one of them and something before, becomes a result of the `prim::If`.

Source: torch/csrc/jit/frontend/ir_emitter.cpp (`emitIfElseBlocks`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minits.diagnostics import Note, error
from minits.frontend.values.assigned_names import assigned_names
from minits.frontend.values.emitter import Emitter
from minits.frontend.values.environment import Environment, may_be_undefined
from minits.frontend.values.error_value import ErrorValue
from minits.frontend.values.narrowing import refine
from minits.frontend.values.refinement import Condition
from minits.frontend.values.simple_value import as_simple
from minits.frontend.values.when_failed import forget
from minits.ir.graph import Node, Value
from minits.source import SourceRange
from minits.syntax import tree
from minits.syntax.torch_ranges import origin
from minits.types import types as t
from minits.types.subtyping import unify


def emit_branches(
    emitter: Emitter,
    loc: SourceRange,
    condition: Condition,
    when_true: Sequence[tree.stmt],
    when_false: Sequence[tree.stmt],
    test: tree.expr | None = None,
) -> None:
    """Emit an if statement; only the branch taken where the condition is known.

    test: the condition's expression, for the rules of the dialect.
    """
    rules = emitter.rules
    known = condition.refinements
    if condition.static is not None:
        refine(emitter, loc, known.when_true if condition.static else known.when_false)
        emitter.emit_statements(when_true if condition.static else when_false)
        return
    recognised = rules.recognise(emitter, test)
    node = emitter.graph.emit("prim::If", [condition.value], [], loc)
    blocks = node.add_block(), node.add_block()
    environments = []
    for block, body, refinements, truth in zip(
        blocks,
        (when_true, when_false),
        (known.when_true, known.when_false),
        (True, False),
        strict=True,
    ):
        with emitter.block_environment(block, joins=True) as environment:
            refine(emitter, origin(body[0]) if body else loc, refinements)
            rules.assume(emitter, recognised, truth)
            emitter.emit_statements(body)
        environments.append(environment)
    exits = [block in emitter.exit_blocks for block in blocks]
    if all(exits):
        emitter.exit_blocks.add(node.owner)
    for environment, body, leaves in zip(environments, (when_true, when_false), exits, strict=True):
        if not leaves:
            _keep_error_values(emitter, environment, body)
    rules.merge_branches(emitter, environments, exits)
    for name in _mutated(emitter, loc, environments, exits, recognised):
        if any(
            _is_lost(each, name) for each in environments if each.block not in emitter.exit_blocks
        ):
            forget(emitter.environment, name)
        elif not all(exits):
            _merge(emitter, loc, name, node, environments, exits)
    if exits[0] != exits[1]:
        rules.assume(emitter, recognised, exits[1])


def _keep_error_values(
    emitter: Emitter, environment: Environment, body: Sequence[tree.stmt]
) -> None:
    """Keep the error values of variables whose assignments in a branch failed."""
    failed = [name for name, value in environment.values.items() if isinstance(value, ErrorValue)]
    if failed:
        assigned = {name for statement in body for name in assigned_names(statement)}
        for name in failed:
            if name in assigned:
                forget(emitter.environment, name)


def _is_lost(environment: Environment, name: str) -> bool:
    return isinstance(environment.sugared(name), ErrorValue)


def _mutated(
    emitter: Emitter,
    loc: SourceRange,
    environments: Sequence[Environment],
    exits: Sequence[bool],
    test: Any,
) -> list[str]:
    """Return the sorted names of variables that a branch assigns and that are defined after both.

    The others are noted as faults: a later use of one raises the error that names the branch.
    """
    mutated: set[str] = set()
    for mine, other, branch in ((0, 1, "false"), (1, 0, "true")):
        for name in list(environments[mine].types):
            with emitter.graph.inserting_at(environments[other].block):
                exists = environments[other].find(name) is not None
            if exists or exits[other]:
                mutated.add(name)
            else:
                emitter.environment.faults[name] = may_be_undefined(
                    loc,
                    f"{name} is not defined in the {branch} branch of this `if`",
                    fix=f"assign '{name}' before the `if`, or in both branches",
                )
                emitter.rules.only_in_one(emitter, test, environments, name, mine)
    return sorted(mutated)


def _merge(
    emitter: Emitter,
    loc: SourceRange,
    name: str,
    node: Node,
    environments: Sequence[Environment],
    exits: Sequence[bool],
) -> None:
    """Give a variable the type that both branches agree on."""
    graph = emitter.graph
    values: list[Value | None] = []
    for environment, leaves in zip(environments, exits, strict=True):
        with graph.inserting_at(environment.block):
            values.append(None if leaves else environment.get(name, loc, emitter))
    types = [value.type for value in values if value is not None]
    for environment, leaves in zip(environments, exits, strict=True):
        if leaves:
            with graph.inserting_at(environment.block):
                nothing = graph.emit("prim::Uninitialized", [], [types[0]]).output
                graph.emit("prim::Store", [nothing], []).set_attr("name", "s", name)
    before = emitter.environment.find(name)
    declared = as_simple(before) if before is not None else None
    to_union = declared is not None and (
        isinstance(declared.type, (t.UnionType, t.OptionalType)) or declared.type == t.NUMBER
    )
    unified = unify(types[0], types[-1], to_union)
    if unified is not None:
        emitter.environment.types[name] = unified
        return
    message = (
        f"Type mismatch: {name} is set to type {types[0].annotation} in the true branch and type "
        f"{types[1].annotation} in the false branch"
    )
    fix = f"annotate '{name}' before the `if`, or use two names"
    if any(environment.find_in_parent(name) is not None for environment in environments):
        raise error(loc, "TS511", message, fix=fix)
    emitter.environment.faults[name] = lambda use: error(
        loc, "TS511", message, notes=[Note("it is used here", use)], fix=fix
    )
