"""The tables of statements and expressions, as the emitter is given them."""

from __future__ import annotations

from collections.abc import Mapping

from minits.frontend.emit import expressions, statements
from minits.frontend.values.builtins import GLOBALS
from minits.frontend.values.sugared_value import SugaredValue


class TorchVisitor:
    """The whole language: what `emitter.Visitor` asks for."""

    builtins: Mapping[str, SugaredValue] = GLOBALS
    statement = staticmethod(statements.emit)
    expression = staticmethod(expressions.emit)


VISITOR = TorchVisitor()
