"""The functions that are called when a part of a program fails, which are loaded then.

Most programs have no errors, and the first call of one does not wait for what errors need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from minits.diagnostics import CompileError
from minits.lazily import lazily

_Raised = Callable[..., CompileError]

# Errors with the faults of the parts that the failed one has left (`lone_parts.py`).
with_parts: _Raised = lazily("minits.frontend.values.lone_parts:with_parts")
with_arguments: _Raised = lazily("minits.frontend.values.lone_parts:with_arguments")
with_targets: _Raised = lazily("minits.frontend.values.lone_parts:with_targets")
with_alternatives: _Raised = lazily("minits.frontend.values.lone_parts:with_alternatives")
with_body: _Raised = lazily("minits.frontend.values.lone_parts:with_body")
with_message: _Raised = lazily("minits.frontend.values.recovery:with_message")
condition_failed: _Raised = lazily("minits.frontend.values.failed_conditions:condition_failed")

# Going on behind them.
emit_alone: Callable[..., None] = lazily("minits.frontend.values.lone_parts:emit_alone")
emit_unused: Callable[..., None] = lazily("minits.frontend.values.lone_parts:emit_unused")
emit_around: Callable[..., None] = lazily("minits.frontend.values.refused_parts:emit_around")
forget: Callable[..., None] = lazily("minits.frontend.values.recovery:forget")
forget_assigned: Callable[..., None] = lazily("minits.frontend.values.recovery:forget_assigned")
has_refused_head: Callable[..., bool] = lazily("minits.frontend.values.recovery:has_refused_head")
names_told_of: Callable[..., Iterator[str]] = lazily(
    "minits.frontend.values.lone_parts:names_told_of"
)
in_order: _Raised = lazily("minits.frontend.values.recovery:in_order")
recover: Callable[..., None] = lazily("minits.frontend.values.recovery:recover")
