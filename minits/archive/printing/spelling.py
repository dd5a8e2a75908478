"""The spelling of names and literals in printed code.

`.code` writes them as torch does, and so does an archive, but for what torch could not read again:
see `archive_spelling`.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

import torch

from minits.archive.printing.names import RESERVED, is_identifier
from minits.frontend.values.function import CompiledFunction
from minits.ir.graph import Graph
from minits.ir.printer import print_string, print_value
from minits.ops.schema import Argument
from minits.types.types import Type

_WITH_LITERALS = (bool, int, float, complex, str, type(None), torch.device, torch.Generator, Enum)


class Spelling:
    """The spelling of `.code`: torch's."""

    reserved = RESERVED
    """The names that variables cannot have."""

    def type(self, type: Type) -> str:
        return type.annotation

    def parameter(self, argument: Argument) -> str:
        """Return the type of a parameter."""
        return self.type(argument.type)

    def takes_default(self, argument: Argument) -> bool:
        """Return whether a parameter can be written with its default."""
        return True

    def graph(self, function: CompiledFunction) -> Graph:
        """Return the graph that is printed of a function."""
        return function.graph

    def function(self, function: CompiledFunction) -> str:
        return function.qualified_name

    def is_attribute(self, name: str) -> bool:
        """Return whether an attribute can be written after a dot."""
        return is_identifier(name)

    def string(self, text: str) -> str:
        return print_string(text)

    def scalar(self, value: Any, type: Type) -> str:
        """Return the literal of a value that is not a container."""
        return print_value(value)

    def has_literal(self, value: Any) -> bool:
        """Return whether a value that is not a container has a literal; others become constants."""
        return isinstance(value, _WITH_LITERALS)
