"""The cell magic `%%minits`: the functions that a cell defines are compiled, and shown.

    %load_ext minits

    %%minits --dialect extended
    def double(x: Tensor):
        return x * 2

A cell may name what the notebook has. Faults are shown with their cures, without a traceback.
"""

from __future__ import annotations

import ast
import shlex
from typing import Any

from minits.api import script
from minits.diagnostics import CompileError
from minits.notebook.fragments import error_html


def load_ipython_extension(shell: Any) -> None:
    """Give an IPython shell the magic, as `%load_ext minits` asks."""

    def minits(line: str, cell: str) -> None:
        """Compile the functions of a cell: `%%minits [--dialect torch|extended]`."""
        _compile(shell, line, cell)

    shell.register_magic_function(minits, "cell", "minits")


def _compile(shell: Any, line: str, cell: str) -> None:
    from IPython.core.error import UsageError
    from IPython.display import display

    words = shlex.split(line.replace("=", " "))
    dialect = words[1] if len(words) == 2 and words[0] == "--dialect" else "torch"
    if words not in ([], ["--dialect", "torch"], ["--dialect", "extended"]):
        raise UsageError("write %%minits, or %%minits --dialect extended")
    if not shell.run_cell(cell).success:
        return
    tree = ast.parse(shell.transform_cell(cell))
    for name in [each.name for each in tree.body if isinstance(each, ast.FunctionDef)]:
        try:
            compiled = script(shell.user_ns[name], dialect=dialect)
        except CompileError as fault:
            del shell.user_ns[name]  # so that no later cell takes what is no program
            html = error_html(fault)
            shown = {"text/plain": str(fault)} | ({"text/html": html} if html else {})
            display(shown, raw=True)
            continue
        shell.user_ns[name] = compiled
        display(compiled)
