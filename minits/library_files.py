"""The files of libraries, which are not blamed: what is installed, Python's own files, minits."""

from __future__ import annotations

import os
import sysconfig
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

_INSTALLED = {"site-packages", "dist-packages"}
_TEXTS = ("<string>", "<frozen ", "<eval_with_key>")
"""Texts that libraries compile: namedtuples, torch's builtin functions, torch.fx's modules."""


@lru_cache(maxsize=4096)
def is_library(filename: str) -> bool:
    """Return whether a file is none of the user's; the text of a cell or of stdin is the user's."""
    if filename.startswith("<"):
        return filename.startswith(_TEXTS)
    return _folder(filename) is not None


def path_as_imported(filename: str) -> str:
    """Return `torch/nn/functional.py` of a library's file."""
    folder = _folder(filename)
    return filename if folder is None else Path(filename).relative_to(folder).as_posix()


def _folder(filename: str) -> Path | None:
    """Return the folder that a library's file is imported from."""
    path = Path(filename)
    for at in range(len(path.parts) - 1, 0, -1):
        if path.parts[at] in _INSTALLED:
            return Path(*path.parts[: at + 1])
    found = (above for folder, above in _folders().items() if filename.startswith(folder))
    return next(found, None)


@lru_cache(maxsize=1)
def _folders() -> dict[str, Path]:
    """Return the folders of Python, minits and torch, by each the one that it is imported from."""
    python = Path(sysconfig.get_path("stdlib"))
    torch = find_spec("torch")  # may be a checkout, as minits may
    files = [__file__, *([torch.origin] if torch is not None and torch.origin else [])]
    packages = {Path(each).parent: Path(each).parents[1] for each in files}
    return {f"{folder}{os.sep}": above for folder, above in {python: python, **packages}.items()}
