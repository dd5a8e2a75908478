"""docs/errors.md and docs/mistakes.md, as the site shows them.

Their blocks say after the language what becomes of them, which turns into a title. The parts of the
former have the level of the page, in whose table of contents they come a level lower.
"""

from __future__ import annotations

import re

from mkdocs.structure.pages import Page

_FENCE = re.compile(
    r"^```(console|python|extended|ir) (fails|warns|mended|safe|unsafe|header)$", re.MULTILINE
)
_LANGUAGES = {"extended": ("python", ", in the extended dialect"), "ir": ("text", "")}
_HEADING = re.compile(r"^(#+ (?!Errors$))", re.MULTILINE)
_CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Write titles, and lower the headings."""
    name = page.file.src_uri
    if name not in ("errors.md", "mistakes.md"):
        return markdown
    parts = _CODE.split(markdown)  # the odd ones are code
    if name == "errors.md":
        parts[::2] = [_HEADING.sub(r"#\1", text) for text in parts[::2]]
    parts[1::2] = [_FENCE.sub(_titled, code) for code in parts[1::2]]
    return "".join(parts)


def _titled(fence: re.Match[str]) -> str:
    language, where = _LANGUAGES.get(fence[1], (fence[1], ""))
    return f'```{language} title="{fence[2]}{where}"'
