"""The code blocks of the pages, and how the tests treat each: `treatment` is the table.

What stands directly before a block decides, where its language does not:

- `<!-- part of FILE -->` or `<!-- part of $ COMMAND -->`: lines of a file, or of what is printed;
- `<!-- torch -->` or `<!-- extended -->`: a program of this dialect, which is compiled. Further
  lines of the comment are what stands around the block, which comes in the place of their `...`;
- `<!-- run by TEST -->`: a test of this file compares it;
- the sentence *Not run by the tests: ...*, which readers see, with the reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import indent

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
WRITTEN = {
    "docs/language/": "tests/conformance/test_language_rules.py",
    "docs/upstream.md": "tests/conformance/test_upstream.py",
    "docs/operators.md": "tests/conformance/test_operators_that_fuse.py",
}
"""Pages that a command writes, and the tests that run what they show."""
_MOST_LINES = 60
_NOT_RUN = re.compile(r"\*Not run by the tests: (.+)\.\*")
_COMMENT = re.compile(r"<!-- (.+?)\s-->\s*", re.DOTALL)
_PROGRAM = re.compile(r"(torch|extended)(?:\n(.+))?", re.DOTALL)
_PLACE = re.compile(r"^( *)\.\.\.$", re.MULTILINE)
_TITLE = re.compile(r'title="([\w./-]+)"')


@dataclass(frozen=True)
class Block:
    """A block of code. `line` is that of its first line of text; `before` stands directly before.

    `words` follow the language. `after_python` tells that nothing is between it and a Python block.
    """

    page: str
    line: int
    language: str
    words: str
    text: str
    before: str
    after_python: bool

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def comment(self) -> str:
        found = _COMMENT.fullmatch(self.before)
        return found[1] if found else ""

    @property
    def title(self) -> str:
        """The file that the block is written to, for the commands after it."""
        found = _TITLE.fullmatch(self.words)
        return found[1] if found else ""

    @property
    def source(self) -> str:
        """The file that the block is a part of, or the command, after a `$`."""
        kind, _, source = self.comment.partition("part of ")
        return "" if kind else source.strip()

    @property
    def test(self) -> str:
        """The file of the test that runs the block."""
        kind, _, file = self.comment.partition("run by ")
        return "" if kind else file.strip()

    @property
    def program(self) -> tuple[str, str] | None:
        """The dialect of a program that is only compiled, and its text."""
        found = _PROGRAM.fullmatch(self.comment)
        if found is None:
            return None
        dialect, around = found.groups()
        return dialect, _PLACE.sub(lambda at: indent(self.text, at[1]), around or "...")


def page_names() -> list[str]:
    """Return the paths of all pages within the repository."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "conformance/README.md"]
    return sorted(path.relative_to(ROOT).as_posix() for path in found)


def blocks(page: str, text: str | None = None) -> list[Block]:
    """Return the blocks of a page, in order."""
    return list(_blocks(page, (ROOT / page).read_text("utf-8") if text is None else text))


@cache
def _blocks(page: str, text: str) -> list[Block]:
    found = []
    tokens = MarkdownIt("commonmark").parse(text)
    for number, token in enumerate(tokens):
        if token.type not in ("fence", "code_block"):
            continue
        language, _, words = token.info.strip().partition(" ")
        previous = tokens[number - 1] if number else None
        before, after_python = "", False
        if previous is not None and previous.type == "html_block":
            before = previous.content
        elif previous is not None and previous.type == "paragraph_close":
            before = tokens[number - 2].content
        elif previous is not None and previous.type == "fence":
            after_python = previous.info.strip() == "python"
        assert token.map is not None
        line = token.map[0] + (2 if token.type == "fence" else 1)
        found.append(Block(page, line, language, words, token.content, before, after_python))
    return found


def treatment(block: Block) -> str:
    """Return how the tests treat a block; nothing, if they do not know: that is a fault."""
    match block:
        case Block() if _NOT_RUN.fullmatch(block.before):
            return "not run"
        case Block() if block.test:
            return "elsewhere"
        case Block() if block.source:
            return "part"
        case Block() if block.title:
            return "file"
        case Block(language="python") if block.program:
            return "program"
        case Block(language="console" | "python", words=""):
            return block.language
        case Block(language="text", after_python=True):
            return "output"
        case Block(page="docs/errors.md", words="fails" | "warns" | "mended"):
            return "error"  # tests/test_errors_page.py
        case Block(page="docs/mistakes.md"):
            return "error"  # tests/test_mistakes_page.py
        case Block(language="mermaid"):
            return "drawing"
    return ""


def written_by_a_command(page: str) -> bool:
    return any(page.startswith(start) for start in WRITTEN)


def difference(shown: str, printed: str) -> str:
    """Compare what a page shows with what was printed; return nothing, or where they differ.

    `...` stands for any text of a line, and a line of it for any number of lines.
    """
    pattern = ""
    printed = printed if printed.endswith("\n") or not printed else f"{printed}\n"
    for line in shown.splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(map(re.escape, line.rstrip().split("..."))) + r"[ \t]*\n"
        if not re.match(pattern, printed):
            return f"was not printed:\n{line}\n{_printed(printed)}"
    if re.fullmatch(pattern, printed):
        return ""
    return f"more was printed than is shown\n{_printed(printed)}"


def _printed(text: str) -> str:
    lines = text.splitlines()
    if len(lines) > _MOST_LINES:
        lines[_MOST_LINES:] = [f"... {len(lines) - _MOST_LINES} more lines"]
    return "\n".join(["what was printed:", *lines])
