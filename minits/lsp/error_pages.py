"""Links to what `docs/errors.md` says of a code.

A wheel has the page as `minits/_docs/errors.md`, a checkout beside the package.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def link(code: str) -> str | None:
    """Return the address of the section on an error code, None where there is no such page."""
    return _links().get(code)


@lru_cache(maxsize=1)
def _links() -> dict[str, str]:
    for folder in (_PACKAGE / "_docs", _PACKAGE.parent / "docs"):
        page = folder / "errors.md"
        if page.is_file():
            titles = re.findall(r"(?m)^## ((TS\d+) .*)$", page.read_text(encoding="utf-8"))
            return {code: f"{page.as_uri()}#{_anchor(title)}" for title, code in titles}
    return {}


def _anchor(title: str) -> str:
    """Return the name that GitHub and mkdocs give to a heading."""
    return re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-")
