"""The chapters of the language in the navigation: those of the list in docs/language/README.md."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

_CHAPTER = re.compile(r"^- \[[^\]]+\]\(([\w-]+\.md)\)", re.MULTILINE)

_FOLDER = {"Language": "language/"}


def on_config(config: MkDocsConfig) -> None:
    """Put the chapters in the place of the folder."""
    index = "language/README.md"
    text = (Path(config.docs_dir) / index).read_text("utf-8")
    chapters = [index, *(f"language/{name}" for name in _CHAPTER.findall(text))]
    config.nav = [{"Language": chapters} if item == _FOLDER else item for item in config.nav or []]
