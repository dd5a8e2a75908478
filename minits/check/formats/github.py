"""Commands of GitHub Actions: faults appear at their lines in a pull request.

    ::error file=model.py,line=4,col=12,endLine=4,endColumn=17,title=TS402::message

Newlines and the characters that end a property are escaped as the runner's toolkit does it.
"""

from __future__ import annotations

from minits.check.formats.places import full_message, place_of
from minits.check.results import FileResult
from minits.diagnostics import Diagnostic
from minits.terminal_text import printable


def as_github(results: list[FileResult]) -> str:
    """Return a line for each fault."""
    return "\n".join(_command(each) for result in results for each in result.diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    properties = {"title": diagnostic.code}
    if diagnostic.range is not None:
        place = place_of(diagnostic.range)
        properties = {
            "file": place.file, "line": str(place.line), "col": str(place.column),
            "endLine": str(place.end_line), "endColumn": str(place.end_column), **properties,
        }  # fmt: skip
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{diagnostic.severity} {shown}::{_escaped(full_message(diagnostic))}"


def _escaped(text: str) -> str:
    lines = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return printable(lines)


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
