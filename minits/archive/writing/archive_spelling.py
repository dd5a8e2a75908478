"""The spelling of names and literals in archives: as `.code`, but so that a reader accepts it.

torch's own printer writes some things that its reader refuses or takes for others. They are
spelled in another way here: large floats without a point, carriage returns, quotes in enums'
values, parameters that are lists of known length, variables named like a word of the printer's,
attributes named like a keyword, complex numbers with a zero that is negative.
"""

from __future__ import annotations

import keyword
import math
from typing import Any

from minits.archive.printing.names import RESERVED, is_identifier
from minits.archive.printing.spelling import Spelling
from minits.archive.writing.qualified_names import QualifiedNames
from minits.archive.writing.traced_functions import with_operators_of_functions
from minits.frontend.values.function import CompiledFunction
from minits.ir.graph import Graph
from minits.ir.printer import print_float
from minits.ops.schema import Argument
from minits.types import types as t
from minits.types.subtyping import is_subtype, unwrap_optional
from minits.types.types import Type

_WORDS_OF_THE_PRINTER = (
    "torch annotate awaitable isinstance range int float bool str print sorted NoneType Ellipsis"
)
_ESCAPES = {
    "\\": "\\\\", "'": "\\'", '"': '\\"', "\a": "\\a", "\b": "\\b",
    "\f": "\\f", "\n": "\\n", "\t": "\\t", "\v": "\\v",
}  # fmt: skip


class ArchiveSpelling(Spelling):
    """The spelling of one archive; `names` collects the classes that it must define."""

    reserved = RESERVED | frozenset(_WORDS_OF_THE_PRINTER.split())

    def __init__(self) -> None:
        self.names = QualifiedNames()
        self._graphs: dict[CompiledFunction, Graph] = {}

    def type(self, type: Type) -> str:
        return self.names.text(type)

    def parameter(self, argument: Argument) -> str:
        """Return the annotation of a parameter; a list of known length is a `BroadcastingList`.

        torch's printer forgets the length. Its reader accepts one without a default only.
        """
        if argument.size is None or argument.has_default:
            return super().parameter(argument)
        inner = unwrap_optional(argument.type)
        assert isinstance(inner, t.ListType)
        text = f"BroadcastingList{argument.size}[{self.type(inner.element)}]"
        return text if inner is argument.type else f"Optional[{text}]"

    def takes_default(self, argument: Argument) -> bool:
        """Return whether the parameter can be printed with its default.

        The default of `mask=None` is left out if `mask` is a Tensor: a reader would refuse it.
        Parameters after one with a default need one too, as keyword-only parameters are read as
        positional ones.
        """
        is_none = argument.default is None and not is_subtype(t.NONE, argument.type)
        return argument.has_default and not is_none

    def graph(self, function: CompiledFunction) -> Graph:
        """Return the graph that is printed: of what calls Python in a trace, the operators."""
        if function not in self._graphs:
            self._graphs[function] = with_operators_of_functions(function.graph)
        return self._graphs[function]

    def function(self, function: CompiledFunction) -> str:
        return self.names.of(function)

    def is_attribute(self, name: str) -> bool:
        return is_identifier(name) and not keyword.iskeyword(name)

    def string(self, text: str) -> str:
        return quoted(text)

    def scalar(self, value: Any, type: Type) -> str:
        if isinstance(type, t.EnumType):
            return f"{self.names.of(type)}.{value.name}"
        if isinstance(value, float):
            return float_literal(value)
        if isinstance(value, complex):
            sign = "-" if value.imag < 0 else "+"
            return f"{float_literal(value.real)}{sign}{float_literal(abs(value.imag))}j"
        return quoted(value) if isinstance(value, str) else super().scalar(value, type)

    def has_literal(self, value: Any) -> bool:
        if isinstance(value, complex):
            return _is_kept(value.real) and _is_kept(value.imag)
        return super().has_literal(value)


def quoted(text: str) -> str:
    """Return a string literal; bytes outside printable ASCII have three octal digits."""
    parts = []
    for char in text:
        if char in _ESCAPES:
            parts.append(_ESCAPES[char])
        elif " " <= char <= "~":
            parts.append(char)
        else:
            parts += [f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogateescape")]
    return f'"{"".join(parts)}"'


def float_literal(value: float) -> str:
    """Return a literal that is read as a float again: 1e10 has a point too."""
    if math.isnan(value):
        return "nan"
    text = print_float(value)
    return text if any(mark in text for mark in ".en") else f"{text}."


def _is_kept(part: float) -> bool:
    """Return whether a part of a complex literal is read as it was: a sum of parts loses -0.0."""
    return math.isfinite(part) and not (part == 0 and math.copysign(1, part) < 0)
