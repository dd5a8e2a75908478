"""Context of a pipeline: arguments of its passes, and their results for the passes after them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from minits.records import dataclass, field

if TYPE_CHECKING:
    from minits.ir.graph import Node, Value
    from minits.passes.fusion.dropout import Part
    from minits.passes.remarks import Remark
    from minits.passes.specialization.module_flags import Flag
    from minits.types.tensor_meta import TensorMeta


@dataclass(slots=True, eq=False)
class Context:
    """The call that a graph is planned for, and what is known of the graph.

    Without a call (the default), passes that specialise a graph on one leave it as it is.

    is_none: which of the graph's Optional inputs are None, by their index
    flags: the bool attributes of the module, and which Optional ones are None
    arguments: examples of the graph's inputs
    program: the name of the function whose graph it is, for people
    hooked: the paths of the module's parts that have hooks
    """

    is_none: Mapping[int, bool] = field(default_factory=dict)
    flags: Mapping[Flag, bool] = field(default_factory=dict)
    arguments: Sequence[Any] | None = None
    program: str = ""
    hooked: Collection[str] = ()
    metas: dict[Value, TensorMeta] = field(default_factory=dict)
    """Certain metadata of tensors: "infer-metadata" writes it, passes that make tensors add."""
    remarks: list[Remark] = field(default_factory=list)
    dropout_parts: dict[Node, Part] = field(default_factory=dict)
    """The operators that "split-dropouts" made, for remarks to tell of the dropout."""
    asked_before: dict[Node, Value] = field(default_factory=dict)
    """The tensors that questions for sizes were of, before they were asked further up."""
    is_settled: bool = False
    """Whether eliminating dead code again would change nothing (passes/emission/dead_code.py)."""
    apart: Collection[str] = ()
    """Kinds of operators that are left to torch."""
