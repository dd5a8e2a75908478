"""The tables of statements and expressions, as the emitter is given them."""

from __future__ import annotations

from collections.abc import Mapping

from minits.frontend.emit import conditions, expressions, loops, special_forms, statements
from minits.frontend.values.builtins import GLOBALS
from minits.frontend.values.emitter import Form
from minits.frontend.values.sugared_value import SugaredValue


class TorchVisitor:
    """The whole language: what `emitter.Visitor` asks for."""

    builtins: Mapping[str, SugaredValue] = GLOBALS
    forms: Mapping[str, Form] = special_forms.FORMS
    statement = staticmethod(statements.emit)
    expression = staticmethod(expressions.emit)
    condition = staticmethod(conditions.emit)
    generators = staticmethod(loops.emit_generators)


VISITOR = TorchVisitor()
