"""Files of the repository that pages name, whole or from a folder of minits/ on, are there."""

from __future__ import annotations

import re

import pytest

from tests.support.pages import ROOT, page_names, written_by_a_command

_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_PATH = re.compile(r"`((\w+)/[\w./-]*(?:/|\.py|\.c|\.lark|\.md|\.txt))`")
_FOLDERS = {path.name: ROOT / "minits" for path in (ROOT / "minits").iterdir() if path.is_dir()}
_FOLDERS |= dict.fromkeys(("minits", "tests", "conformance", "docs", "grammar", "examples"), ROOT)
PAGES = [page for page in page_names() if page != "CHANGELOG.md" and not written_by_a_command(page)]


@pytest.mark.parametrize("page", PAGES)
def test_files_that_a_page_names_are_there(page: str) -> None:
    text = _BLOCK.sub("", (ROOT / page).read_text("utf-8"))
    named = [found for found in _PATH.findall(text) if found[1] in _FOLDERS]
    missing = [path for path, folder in named if not (_FOLDERS[folder] / path).exists()]
    assert missing == []
