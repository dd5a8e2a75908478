"""Calls of functions that are in the C once (`outlining.py`): nodes of a kind of their own.

%d : int = native::call[call=square_sum](%c, %z)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from minits.ir.graph import Node
from minits.records import dataclass

if TYPE_CHECKING:
    from minits.native.callees import Callee

CALL = "native::call"


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """The function that a node calls, and the nodes for which it stands.

    These are in the order of the function's own. They are no longer in a graph, but tell the places
    and calls at which errors are raised.
    """

    callee: Callee
    nodes: list[Node]
