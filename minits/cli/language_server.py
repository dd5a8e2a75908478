"""The command `minits lsp`: start the server, or say what it lacks."""

from __future__ import annotations

import argparse
import sys

from minits.cli.errors import UsageError


def run_lsp(options: argparse.Namespace) -> int:
    """Serve the editor at the other end of stdin and stdout until it leaves.

    Raises `UsageError` where pygls is missing.
    """
    try:
        from minits.lsp.server import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UsageError(
            f"the language server needs pygls 2, and {missing.name} is missing: "
            "pip install 'minits[lsp]'"
        ) from None
    if sys.stdin.isatty():
        raise UsageError("minits lsp talks to an editor, not to a terminal; see docs/editors.md")
    serve(options.dialect)
    return 0
