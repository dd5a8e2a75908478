"""Forms that faults are written in.

text        as people read them, wrapped to the width of the terminal
plain_json  a value for programs
sarif       SARIF 2.1.0, which GitHub and editors read
github      commands of GitHub Actions that mark the lines of a pull request
junit       XML that CI systems show as tests
places      what they have in common: files and lines of a fault

`FORMATS` names a function for each but text. `GITHUB_MATCHER` is a file that lets GitHub Actions
read the text.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from minits.check.results import FileResult
from minits.lazily import lazily

Writer = Callable[[list[FileResult]], str]
FORMATS: dict[str, Writer] = {
    "json": lazily("minits.check.formats.plain_json:as_json"),
    "sarif": lazily("minits.check.formats.sarif:as_sarif"),
    "github": lazily("minits.check.formats.github:as_github"),
    "junit": lazily("minits.check.formats.junit:as_junit"),
}
GITHUB_MATCHER = Path(__file__).with_name("github_matcher.json")
