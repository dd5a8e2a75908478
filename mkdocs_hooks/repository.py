"""Pages of the repository that are not in docs/, and files that pages link to.

Links are relative to the file in the repository, so that they work where it is read as it is. On
the site a link to a page leads to the page, and one to another file to a copy of it, as text.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "conformance/README.md": "conformance.md",
}
"""Files of the repository, and the pages of the site that they are."""
_ORIGINS = {uri: name for name, uri in PAGES.items() if uri != "index.md"}
_LINK = re.compile(r"\]\((?!\w+:|#)([^)\s#]+)(#[^)\s]*)?\)")
_CODE = re.compile(r"(^```.*?^```|`[^`\n]*`)", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the pages that are not in docs/."""
    for uri, name in _ORIGINS.items():
        files.append(File.generated(config, uri, abs_src_path=str(_root(config) / name)))


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links within the repository into links within the site."""
    origin = _ORIGINS.get(page.file.src_uri, f"docs/{page.file.src_uri}")

    def turned(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(origin), link[1]))
        uri = _uri(path, config, files)
        start = posixpath.dirname(page.file.src_uri) or "."
        return f"]({posixpath.relpath(uri, start)}{link[2] or ''})"

    parts = _CODE.split(markdown)  # the odd ones are code
    parts[::2] = [_LINK.sub(turned, text) for text in parts[::2]]
    return "".join(parts)


def _uri(path: str, config: MkDocsConfig, files: Files) -> str:
    """Return where a file of the repository is on the site, which is given a copy if need be."""
    if path in PAGES:
        return PAGES[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    source = _root(config) / path
    uri = f"files/{path}.txt"
    if source.is_file() and files.get_file_from_path(uri) is None:
        files.append(File.generated(config, uri, abs_src_path=str(source)))
    return uri


def _root(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path).parent
