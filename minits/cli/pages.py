"""`minits docs` and `minits explain CODE`: the pages of `docs/`, without a network.

A wheel carries them as `minits/_docs/`; a checkout, and an editable install of one, has them in
`docs/` beside the package. On a terminal they are rendered; elsewhere they are printed as they are.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from minits.cli.errors import UsageError

_PACKAGE = Path(__file__).parents[1]
_CODE = re.compile(r"TS\d{3}")
_FENCE = re.compile(r"^```(\w+) (fails|mended)$", re.MULTILINE)
_TITLES = {"fails": "This fails:", "mended": "Mended:"}


def run_docs(options: argparse.Namespace) -> int:
    """Print a page, or a part of one; without a name, list the pages. Raises `UsageError`."""
    if options.page is None:
        _list_pages()
        return 0
    if _CODE.fullmatch(options.page.upper()):
        return show_code(options.page.upper())
    name, _, heading = options.page.partition("#")
    text = _read(name)
    _show(_part(text, heading, options.page) if heading else text)
    return 0


def show_code(code: str) -> int:
    """Print what `docs/errors.md` says of an error code. Raises `UsageError` for an unknown one."""
    sections = _sections(_read("errors"))
    if code not in sections:
        raise UsageError(f"there is no code {code}{_did_you_mean(code, sections)}")
    _show(_FENCE.sub(lambda fence: f"{_TITLES[fence[2]]}\n\n```{fence[1]}", sections[code]))
    return 0


def show_remark(code: str) -> bool:
    """Print what `docs/fusion.md` says of the code of a remark; return whether it knows it."""
    name = "cut-off-by(op)" if code.startswith("cut-off") else code
    for row in _read("fusion").splitlines():
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if len(cells) == 3 and f"`{name}`" in cells[0]:
            codes, why, cure = cells
            advice = f"What would mend it: {cure}.\n\n" if cure else ""
            _show(f"## {codes}\n\n{_sentence(why)}\n\n{advice}See `minits docs fusion`.\n")
            return True
    return False


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


# ---- Pages -------------------------------------------------------------------------------------


def _folder() -> Path:
    for folder in (_PACKAGE / "_docs", _PACKAGE.parent / "docs"):
        if (folder / "errors.md").is_file():
            return folder
    raise UsageError(f"the pages are missing beside {_PACKAGE}: reinstall minits")


def _pages() -> dict[str, Path]:
    """Return the pages by name: `fusion`, `language/tuples`."""
    folder = _folder()
    found = sorted(folder.rglob("*.md"), key=lambda path: (path.parent != folder, path))
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in found}


def _read(name: str) -> str:
    pages = _pages()
    short = name.removeprefix("docs/").removesuffix(".md").strip("/")
    found = short if short in pages else f"{short}/README"
    if found not in pages:
        raise UsageError(
            f"there is no page {name!r}{_did_you_mean(short, pages)}; minits docs lists them"
        )
    return pages[found].read_text(encoding="utf-8")


def _list_pages() -> None:
    pages = _pages()
    width = max(map(len, pages)) + 2
    for name, path in pages.items():
        with path.open(encoding="utf-8") as file:
            title = file.readline().lstrip("# ").strip()
        print(f"{name.removesuffix('/README'):{width}}{title}")


def _part(text: str, heading: str, page: str) -> str:
    """Return a heading of a page and what stands below it."""
    lines, level = [], 0
    for line in text.splitlines():
        mark = re.match(r"(#+) (.+)", line)
        if mark and level and len(mark[1]) <= level:
            break
        if mark and not level and _anchor(mark[2]) == _anchor(heading):
            level = len(mark[1])
        if level:
            lines.append(line)
    if not lines:
        raise UsageError(f"there is no heading of {page}")
    return "\n".join(lines).rstrip() + "\n"


def _anchor(heading: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")


def _sections(page: str) -> dict[str, str]:
    """Return the sections of `docs/errors.md` by their codes."""
    found = re.finditer(r"^## (TS\d{3})\b.*?(?=^##? |\Z)", page, re.MULTILINE | re.DOTALL)
    return {section[1]: section[0].rstrip() + "\n" for section in found}


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, [*known], 1)
    return f"; did you mean {close[0]}?" if close else ""


def _show(text: str) -> None:
    if not sys.stdout.isatty():
        sys.stdout.write(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(text, code_theme="ansi_dark"))
