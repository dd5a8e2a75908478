"""Histories of calls that were wrong once, each with what was wrong."""

from __future__ import annotations

from conformance.fuzz.calls.history import History

KEPT: dict[str, History] = {}
