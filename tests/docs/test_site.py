"""`make docs` builds the site without a warning, all pages are in its navigation, links lead on."""

from __future__ import annotations

import os
import posixpath
import re
import subprocess
import sys
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.support.pages import ROOT, page_names

WRITTEN_BY_HOOKS = {"reference/api.md", "reference/command-line.md"}
PARSER = MarkdownIt("commonmark")


class _Loader(yaml.SafeLoader):
    """A loader that leaves out objects of Python, and variables of the environment."""


_Loader.add_multi_constructor("", lambda *_: None)


def in_navigation(item: Any) -> list[str]:
    if isinstance(item, dict):
        item = [*item.values()]
    return (
        [item] if isinstance(item, str) else [name for each in item for name in in_navigation(each)]
    )


def test_each_page_is_in_the_navigation() -> None:
    named = in_navigation(yaml.load((ROOT / "mkdocs.yml").read_text("utf-8"), _Loader)["nav"])
    assert len(named) == len(set(named))
    pages = {name.removeprefix("docs/") for name in page_names() if name.startswith("docs/")}
    pages = {name for name in pages if not name.startswith("language/")}
    beside = {"contributing.md", "changelog.md", "conformance.md", "language/"}
    assert set(named) == pages | beside | WRITTEN_BY_HOOKS, "name the page in `nav` of mkdocs.yml"


def tokens(page: str) -> list[Token]:
    return PARSER.parse((ROOT / page).read_text("utf-8"))


def anchors(page: str) -> set[str]:
    """Return the anchors of a page, as GitHub makes them."""
    found: dict[str, int] = {}
    names = set()
    parsed = tokens(page)
    for opening, heading in pairwise(parsed):
        if opening.type == "heading_open":
            text = "".join(each.content for each in heading.children or [])
            name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            count = found.get(name, 0)
            found[name] = count + 1
            names.add(f"{name}-{count}" if count else name)
    return names


def links(page: str) -> list[str]:
    inline = [each for token in tokens(page) for each in token.children or []]
    return [str(each.attrs["href"]) for each in inline if each.type == "link_open"]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("page", page_names())
def test_links_lead_to_files_and_headings(page: str) -> None:
    for link in links(page):
        if re.match(r"\w+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
        assert (ROOT / target).exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.slow
@pytest.mark.skipif(
    find_spec("mkdocs") is None, reason="mkdocs is missing: `make docs` installs it"
)
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", tmp_path],
        cwd=ROOT,
        env={
            **os.environ,
            "DISABLE_MKDOCS_2_WARNING": "true",
            "NO_MKDOCS_2_WARNING": "1",
            "MKDOCS_SEARCH": "false",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "WARNING" not in done.stdout, done.stdout
    for page in WRITTEN_BY_HOOKS:
        text = (tmp_path / page).with_suffix(".html").read_text("utf-8")
        assert ("minits.freeze" if "api" in page else "--emit-ir") in text
    assert "files/minits/" in (tmp_path / "language" / "for_loops.html").read_text("utf-8")
