"""The edit that annotates an attribute in the class of its module.

class Net(nn.Module):
    cache: Optional[Tensor]         inserted before the first method, with a blank line
"""

from __future__ import annotations

import builtins
import inspect
import re
import sys

from minits.edits import Edit, Replacement
from minits.frontend.calls.spelled_types import known_in, spelled
from minits.source import SourceFile, SourceRange

_METHOD = re.compile(r"(\s+)(?:async\s+def|def|@)\b|(\s+)@")


def annotating(cls: type | None, name: str, annotation: str) -> Edit | None:
    """Return the edit; None if the class has no text, or its file lacks a name of the type."""
    if cls is None:
        return None
    module = sys.modules.get(cls.__module__, builtins)
    annotation = spelled(annotation, getattr(module, "__file__", None) or "")
    known = {**vars(builtins), **vars(module)}
    if any(word not in known for word in re.findall(r"(?<![\w.])[A-Za-z_]\w*", annotation)):
        return None
    try:
        lines, first = inspect.getsourcelines(cls)
        filename = inspect.getfile(cls)
    except (OSError, TypeError):
        return None
    for offset, line in enumerate(lines):
        method = _METHOD.match(line)
        if method is not None:
            margin = method[1] or method[2]
            source = SourceFile(filename, line, first + offset)
            text = f"{margin}{name}: {annotation}\n\n"
            return Edit((Replacement(SourceRange(source, 0, 0), text),))
    return None


def annotation_in_init(cls: type, name: str) -> str | None:
    """Return the annotation of `self.name: ... = ...` in a class's text, if there is one."""
    try:
        lines, _ = inspect.getsourcelines(cls)
    except (OSError, TypeError):
        return None
    pattern = re.compile(rf"\s+self\.{name}\s*:\s*(.+?)\s*=[^=]")
    found = (pattern.match(line) for line in lines)
    return next((match[1] for match in found if match is not None), None)


def made_final(cls: type, name: str, declared: str) -> Edit | None:
    """Return the edit that declares a class attribute anew: `n = 3` -> `n: Final[int] = 3`."""
    pattern = re.compile(rf"(\s+){name}\s*(?::[^=]+)?(?==[^=])")
    for base in cls.__mro__[:-1]:
        if name not in vars(base):
            continue
        try:
            lines, first = inspect.getsourcelines(base)
            filename = inspect.getfile(base)
        except (OSError, TypeError):
            return None
        for offset, line in enumerate(lines):
            found = pattern.match(line)
            if found is not None and known_in("torch", filename):
                source = SourceFile(filename, line, first + offset)
                loc = SourceRange(source, found.end(1), found.end())
                return Edit((Replacement(loc, f"{declared} "),))
    return None
