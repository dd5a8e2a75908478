"""JUnit's XML: a test suite for each file, a failing test for each error, a passing one for each
warning.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from minits.check.files import display_path
from minits.check.formats.places import full_message, place_of
from minits.check.results import FileResult
from minits.diagnostics import Diagnostic
from minits.short_names import with_short_names
from minits.terminal_text import printable


def as_junit(results: list[FileResult]) -> str:
    """Return the XML document; a file without faults is one test that passes."""
    failures = sum(map(_failures, results))
    tests = sum(max(1, len(result.diagnostics)) for result in results)
    root = ET.Element("testsuites", name="minits", tests=str(tests), failures=str(failures))
    for result in results:
        _add_suite(root, result)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode")


def _failures(result: FileResult) -> int:
    return sum(each.is_error for each in result.diagnostics)


def _add_suite(root: ET.Element, result: FileResult) -> None:
    name, found = _legal(display_path(result.path)), result.diagnostics
    tests, failures = str(max(1, len(found))), str(_failures(result))
    numbers = {"tests": tests, "failures": failures, "errors": "0"}
    suite = ET.SubElement(root, "testsuite", {"name": name, **numbers})
    if not found:
        ET.SubElement(suite, "testcase", name=name, classname="minits.check")
    for each in found:
        _add_fault(suite, each)


def _add_fault(suite: ET.Element, each: Diagnostic) -> None:
    attributes = {"name": each.code, "classname": "minits.check"}
    if each.range is not None:
        place = place_of(each.range)
        file = _legal(place.file)
        attributes["name"] = f"{each.code} at {file}:{place.line}:{place.column}"
        attributes |= {"file": file, "line": str(place.line)}
    case = ET.SubElement(suite, "testcase", attributes)
    if not each.is_error:
        ET.SubElement(case, "system-out").text = _legal(full_message(each))
        return
    failure = ET.SubElement(
        case, "failure", message=_legal(with_short_names(each.message)), type=each.code
    )
    failure.text = _legal(full_message(each))


def _legal(text: str) -> str:
    """Return the text with escapes for the characters that XML has no form for."""
    return printable(text).replace("\ufffe", r"\ufffe").replace("\uffff", r"\uffff")
