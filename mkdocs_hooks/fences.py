"""Blocks of docs/errors.md and docs/mistakes.md say after the language what becomes of them: on the site, a title."""

from __future__ import annotations

import re
from typing import Any

_FENCE = re.compile(r"^```(console|python|extended|ir) (fails|mended|safe|unsafe|header)$", re.MULTILINE)
_LANGUAGES = {"extended": ("python", ", in the extended dialect"), "ir": ("text", "")}


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Write titles."""

    def titled(fence: re.Match[str]) -> str:
        language, where = _LANGUAGES.get(fence[1], (fence[1], ""))
        return f'```{language} title="{fence[2]}{where}"'

    return _FENCE.sub(titled, markdown)
