"""The blocks of a page, run in order in one folder, as a reader would run them."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import torch

from tests.support.page_processes import SETTINGS, Session, compiled, in_a_process, minits_command
from tests.support.pages import ROOT, Block, difference

_TORCH = Path(torch.__file__).parent
_LINKED = ("examples", "docs")
_LINE_BY_LINE = ("stdbuf", "-oL") if shutil.which("stdbuf") else ()
"""C programs write lines to a terminal as they come, and so they do here."""
_NEEDS = {
    "gcc": "gcc",
    "gdb": "gdb",
    "minits build": "gcc",
    "python launch.py": "gcc",
    "python kept.py": "gcc",
    "MINITS_PLANS=memory python emulated.py": "g++",
}
"""What commands need that need not be there."""
_PLACE_IN_PAGE = re.compile(r"(\.\.\./\w+_\w+\.py(?:\", line |:))\d+(?::\d+)?")
_PUNCTUATION = frozenset("();<>|&")


class Run:
    """A page that is being run.

    `faults` tells what is untrue, each with its place; `missing`, which programs are not there,
    whose blocks were left out.
    """

    def __init__(self, page: str, folder: Path) -> None:
        self.folder = folder
        self.faults: list[str] = []
        self.missing: set[str] = set()
        self._updates: dict[Block, str] = {}
        self._printed = ""
        self._session = Session(page, folder)
        for name in _LINKED:
            (folder / name).symlink_to(ROOT / name)
        programs = folder / ".programs"
        programs.mkdir()
        (programs / "minits").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m minits "$@"\n')
        (programs / "minits").chmod(0o755)
        self._path = [str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]

    def console(self, block: Block) -> None:
        needed = {program for tool, program in _NEEDS.items() if f"$ {tool}" in block.text}
        missing = {program for program in needed if not shutil.which(program)}
        self.missing |= missing
        told = ""
        for command, shown in [] if missing else commands(block.text):
            status, printed = self.execute(command)
            found = difference(shown, printed)
            if found:
                self.faults.append(f"{block.place}: $ {command}\n{found}")
            elif status and not shown.replace("...", "").strip():
                self.faults.append(f"{block.place}: exit status {status} of {command}\n{printed}")
            told += f"$ {command}\n{self._portable(printed) if found else shown}"
        self._updates[block] = told or block.text

    def execute(self, command: str) -> tuple[int, str]:
        """Return the exit status of a command, and what it printed to both streams."""
        reader = shlex.shlex(command, posix=True, punctuation_chars=True)
        reader.whitespace_split = True
        words = [*reader]
        if words[0] == "minits" and not any(set(word) <= _PUNCTUATION for word in words):
            return in_a_process(minits_command, words[1:], self.folder)
        path = os.pathsep.join(self._path)
        done = subprocess.run(
            [*_LINE_BY_LINE, "bash", "-c", command],
            cwd=self.folder,
            env={**os.environ, **SETTINGS, "PATH": path, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return done.returncode, done.stdout

    def python(self, block: Block) -> None:
        raised, self._printed = self._session.run(block.line, block.text)
        if raised:
            self.faults.append(f"{block.place}: {raised}\n{self._printed}")

    def output(self, block: Block) -> None:
        printed = self._printed.rstrip("\n")
        found = difference(block.text.rstrip("\n"), printed)
        if found:
            self.faults.append(f"{block.place}: {found}")
            self._updates[block] = self._portable(f"{printed}\n")

    def file(self, block: Block) -> None:
        path = self.folder / block.title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")

    def part(self, block: Block) -> None:
        if block.source.startswith("$"):
            _, whole = self.execute(block.source.removeprefix("$").strip())
        else:
            whole = (ROOT / block.source).read_text(encoding="utf-8")
        wanted = [f"...\n{indent(block.text, by)}...\n" for by in ("", " " * 4, " " * 8)]
        if all(difference(shown, whole) for shown in wanted):
            self.faults.append(f"{block.place}: not in {block.source}\n{block.text}")

    def program(self, block: Block) -> None:
        assert block.program is not None
        status, printed = in_a_process(compiled, *block.program, block.place, self.folder)
        if status:
            self.faults.append(f"{block.place}: {printed}")

    def end(self) -> None:
        self._session.end()

    def updated(self, text: str) -> str:
        """Return the text of the page with what was printed."""
        lines = text.splitlines(keepends=True)
        for block, printed in sorted(self._updates.items(), key=lambda item: -item[0].line):
            first, count = block.line - 1, len(block.text.splitlines())
            lines[first : first + count] = [printed]
        return "".join(lines)

    def _portable(self, printed: str) -> str:
        """Leave out what differs between machines, and from one state of the page to the next."""
        printed = printed.replace(str(self.folder), "...").replace(str(_TORCH), ".../torch")
        return _PLACE_IN_PAGE.sub(r"\1...", printed)


def commands(text: str) -> list[tuple[str, str]]:
    """Split a console block into its commands, each with the output that is shown of it."""
    found: list[tuple[str, str]] = []
    going_on = False
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((line.removeprefix("$ ").rstrip("\n"), ""))
        elif going_on:
            found[-1] = (f"{found[-1][0]}\n{line.rstrip()}", "")
        else:
            assert found, f"a console block begins with a command, not {line!r}"
            found[-1] = (found[-1][0], found[-1][1] + line)
        going_on = found[-1][0].endswith("\\") and not found[-1][1]
    return found
