"""The syntax of the extended dialect: tables of what is emitted otherwise than by torch's rules.

For a node of a class that is named here the functions are asked in turn; the first that emits the
node decides. If none does, torch's rules do. Syntax that can be written in statements of the torch
dialect is no row here, but a file of `minits/syntax/extensions/`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from minits.frontend.emit import conditions, expressions, special_forms, statements
from minits.frontend.extended import (
    access_paths,
    casts,
    generators,
    imports,
    keyword_arguments,
    keyword_spreading,
    loop_tests,
    parent_methods,
    static_argument_conditions,
    stored_conditions,
    string_formats,
    walrus,
)
from minits.frontend.extended.kwargs_analysis import FORM
from minits.frontend.values.builtins import GLOBALS, SpecialForm
from minits.frontend.values.emitter import Emitter, Form
from minits.frontend.values.refinement import Condition
from minits.frontend.values.sugared_value import SugaredValue
from minits.syntax import tree
from minits.types.types import Type

STATEMENTS: Mapping[type, tuple[Callable[[Emitter, Any], bool], ...]] = {
    tree.While: (walrus.emit_while, loop_tests.emit_while),
    tree.Import: (imports.emit_import,),
    tree.ImportFrom: (imports.emit_import,),
}
EXPRESSIONS: Mapping[
    type, tuple[Callable[[Emitter, Any, int, Type | None], SugaredValue | None], ...]
] = {
    tree.NamedExpr: (walrus.emit,),
    tree.IfExp: (walrus.emit_conditional,),
    tree.BinOp: (walrus.emit_modulo,),
    tree.Compare: (static_argument_conditions.emit_comparison,),
    tree.Call: (keyword_spreading.emit_length, keyword_spreading.emit_spreading),
    tree.JoinedStr: (string_formats.emit,),
    tree.Attribute: (access_paths.emit,),
    tree.Subscript: (access_paths.emit,),
}
CONDITIONS: Mapping[type, tuple[Callable[[Emitter, Any], Condition | None], ...]] = {
    tree.NamedExpr: (walrus.emit_condition,),
    tree.BoolOp: (walrus.emit_operands,),
    tree.Compare: (static_argument_conditions.emit, walrus.emit_chain),
    tree.Call: (static_argument_conditions.emit, walrus.emit_call_condition),
    tree.Name: (static_argument_conditions.emit, stored_conditions.emit),
}
FORMS: Mapping[str, Form] = {
    **special_forms.FORMS,
    "cast": casts.emit_cast,
    "super": parent_methods.emit_super,
    FORM: keyword_arguments.emit,
}


class ExtendedVisitor:
    """The language of the extended dialect: what `emitter.Visitor` asks for."""

    builtins: Mapping[str, SugaredValue] = {**GLOBALS, FORM: SpecialForm(FORM)}
    forms = FORMS
    generators = staticmethod(generators.emit_generators)

    def statement(self, emitter: Emitter, node: tree.stmt) -> None:
        if not any(emit(emitter, node) for emit in STATEMENTS.get(type(node), ())):
            statements.emit(emitter, node)

    def expression(
        self, emitter: Emitter, node: tree.expr, n_binders: int, hint: Type | None
    ) -> SugaredValue:
        for emit in EXPRESSIONS.get(type(node), ()):
            value = emit(emitter, node, n_binders, hint)
            if value is not None:
                return value
        return expressions.emit(emitter, node, n_binders, hint)

    def condition(self, emitter: Emitter, node: tree.expr) -> Condition:
        for emit in CONDITIONS.get(type(node), ()):
            condition = emit(emitter, node)
            if condition is not None:
                return condition
        return conditions.emit(emitter, node)


VISITOR = ExtendedVisitor()
