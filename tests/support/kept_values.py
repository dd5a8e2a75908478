"""Runs of the interpreter that keep all values, for tests that look at them afterwards."""

from __future__ import annotations

from minits.ir.last_uses import LastUses

NO_LAST_USES = LastUses({}, {})
"""With it, an environment drops nothing."""
