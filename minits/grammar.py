"""The folder of the grammars.

A wheel carries them as `minits/_grammar/`; a checkout, and an editable install of one, has them in
`grammar/` beside the package.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def grammar_path(name: str) -> Path:
    """Return the path of a grammar file.

    Raises `FileNotFoundError` when the installation lacks it.
    """
    for folder in (_PACKAGE / "_grammar", _PACKAGE.parent / "grammar"):
        path = folder / name
        if path.is_file():
            return path
    raise FileNotFoundError(f"the grammar {name} is missing beside {_PACKAGE}: reinstall minits")


def read_grammar(name: str) -> str:
    return grammar_path(name).read_text(encoding="utf-8")
