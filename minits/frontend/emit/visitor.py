"""The tables of statements and expressions, as the emitter is given them."""

from __future__ import annotations

from collections.abc import Mapping

from minits.frontend.emit import expressions, statements
from minits.frontend.values.builtins import GLOBALS
from minits.frontend.values.emitter import Form
from minits.frontend.values.sugared_value import SugaredValue
from minits.lazily import lazily


class TorchVisitor:
    """The whole language: what `emitter.Visitor` asks for."""

    builtins: Mapping[str, SugaredValue] = GLOBALS
    statement = staticmethod(statements.emit)
    expression = staticmethod(expressions.emit)
    condition = staticmethod(lazily("minits.frontend.emit.conditions:emit"))
    generators = staticmethod(lazily("minits.frontend.emit.loops:emit_generators"))

    @property
    def forms(self) -> Mapping[str, Form]:
        from minits.frontend.emit.special_forms import FORMS

        return FORMS


VISITOR = TorchVisitor()
