"""Diagnostics on standard error, in colour on a terminal (never under NO_COLOR).

Characters of files and names that would steer a terminal are shown as escapes, here and by
`show`, which prints to standard output.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from minits.diagnostics import CompileError
from minits.terminal_text import printable

if TYPE_CHECKING:
    from minits.passes.remarks import Remark


def _console() -> Console:
    return Console(stderr=True, highlight=False, soft_wrap=True)


def report_faults(fault: CompileError) -> None:
    """Show every diagnostic, and how many there are."""
    console = _console()
    for diagnostic in fault.diagnostics:
        console.print(_coloured(diagnostic.render().replace(f"{Path.cwd()}/", "")))
    count = len(fault.diagnostics)
    console.print(Text(f"{count} error{'s' if count != 1 else ''}", style="bold"))
    if console.is_terminal:
        console.print(Text(f"minits explain {fault.diagnostics[0].code} tells more", style="dim"))


def report_text(shown: str, style: str = "") -> None:
    """Print what is rendered already: a diagnostic, or a line about the run."""
    _console().print(_coloured(shown, style))


def _coloured(shown: str, style: str = "") -> Text:
    text = Text(printable(shown), style=style)
    text.highlight_regex(r"\berror:", "bold red")
    text.highlight_regex(r"(?m)^ *\^+$", "red")
    text.highlight_regex(r"(?m)^help:", "bold green")
    text.highlight_regex(r"\bnote:", "bold cyan")
    return text


def report_usage(message: str) -> None:
    _console().print(Text(printable(f"minits: {message}".replace(f"{Path.cwd()}/", ""))))


def report_note(message: str) -> None:
    """Print a remark about something that was left out."""
    _console().print(Text(printable(f"note: {message}")))


def report_remarks(title: str, remarks: Sequence[Remark]) -> None:
    """Print which operators were fused into which kernel, and which were not."""
    from minits.passes.remarks import folded

    console = _console()
    if remarks:
        console.print(Text(printable(f"# {title}"), style="bold"))
    for shown in folded(remarks):
        text = Text(printable(shown.replace(f"{Path.cwd()}/", "")))
        text.highlight_regex(r"\bpassed\b", "bold green")
        text.highlight_regex(r"\bmissed\b", "bold yellow")
        text.highlight_regex(r"(?m)^ *\^+$", "cyan")
        console.print(text)


def report_stats(text: str) -> None:
    """The plans of a call."""
    _console().print(Text(printable(text)))


def report_hint(text: str) -> None:
    """Print what people may want to know, and no program: to a terminal alone."""
    console = _console()
    if console.is_terminal:
        console.print(Text(printable(text), style="dim"))


def show(text: str) -> None:
    """Print lines that have texts of files in them."""
    print(printable(text))
