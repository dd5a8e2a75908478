"""The mistakes of docs/mistakes.md: programs that fail, what is said of them, and mended ones."""

from __future__ import annotations

import inspect
import linecache
import re
import sys
import types
from pathlib import Path
from typing import Any, NamedTuple

from torch import nn

import minits
from minits.cures.mending import Mended, mend
from minits.diagnostics import CompileError, Diagnostic
from minits.source import SourceFile

PAGE = Path(__file__).parents[2] / "docs" / "mistakes.md"
_HEADER = re.compile(r"^```python header\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SECTION = re.compile(
    r"^## (.+?)\n\n```python fails\n(.*?)^```\n\n> (\w+): (.+?)\n\n```python (\w+)\n(.*?)^```",
    re.MULTILINE | re.DOTALL,
)


class Mistake(NamedTuple):
    """A section of the page.

    kind: "mended" by hand, or the edit that mends it: "safe" or "unsafe".
    """

    title: str
    fails: str
    code: str
    fix: str
    kind: str
    mended: str


def mistakes() -> list[Mistake]:
    text = PAGE.read_text(encoding="utf-8")
    header = _header(text)
    return [
        Mistake(title, header + fails, code, fix, kind, header + mended)
        for title, fails, code, fix, kind, mended in _SECTION.findall(text)
    ]


def _header(text: str) -> str:
    found = _HEADER.search(text)
    assert found is not None
    return f"{found[1]}\n\n"


def programs_of(text: str, path: Path) -> list[Any]:
    """Run a text as the module of a file; return its functions and the modules of its classes."""
    module = types.ModuleType(path.stem)
    module.__file__ = str(path)
    sys.modules[path.stem] = module
    linecache.cache[str(path)] = (len(text), None, text.splitlines(keepends=True), str(path))
    exec(compile(text, str(path), "exec", dont_inherit=True), vars(module))
    own = [each for each in vars(module).values() if _is_own(each, module.__name__)]
    return [each() if inspect.isclass(each) else each for each in own]


def _is_own(value: Any, module: str) -> bool:
    is_marked = hasattr(value, "_torchscript_modifier")
    is_marked |= hasattr(value, "__torch_script_interface__")
    if getattr(value, "__module__", None) != module or is_marked:
        return False
    return inspect.isfunction(value) or (inspect.isclass(value) and issubclass(value, nn.Module))


def faults_of(text: str, path: Path) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    for program in programs_of(text, path):
        try:
            minits.script(program)
        except CompileError as fault:
            found += fault.diagnostics
    return found


def mended_by_edits(text: str, path: Path, *, unsafe: bool) -> Mended:
    return mend(
        SourceFile(str(path), text), lambda changed: faults_of(changed, path), unsafe=unsafe
    )
