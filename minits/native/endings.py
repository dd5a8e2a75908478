"""The end of a block in which the program raises, where it is not that of the function."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from minits.ir.graph import Value

if TYPE_CHECKING:
    from minits.native.blocks import BlockPrinter


class Ending(ABC):
    """The statements of a block in the place of those that return the number of a site."""

    @abstractmethod
    def leaving(self, printer: BlockPrinter, number: int, told: list[Value]) -> list[str]:
        """Return the statements at a site, which tells some values."""

    def with_fault(self, fault: str) -> list[str]:
        """Return the statements where a function of Python that C calls has raised."""
        return [f"return {fault};"]
