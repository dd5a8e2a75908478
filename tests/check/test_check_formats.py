"""The forms that faults are written in, read as their readers do."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import pytest

from minits.check.formats import GITHUB_MATCHER
from minits.cli.main import main

DATA = Path(__file__).parents[1] / "data"
FILES = ["several.py", "library_child.py", "optional.py", "script_class.py", "factory.py"]


@pytest.fixture
def checked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> object:
    monkeypatch.chdir(DATA / "check")
    monkeypatch.setenv("MINITS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("COLUMNS", raising=False)

    def check(*arguments: str) -> str:
        assert main(["check", *FILES, *arguments]) == 1
        out, err = capsys.readouterr()
        return out or err

    return check


def test_sarif_is_valid(checked) -> None:
    document = json.loads(checked("--format=sarif"))
    schema = json.loads((DATA / "sarif-2.1.0.json").read_text("utf-8"))
    jsonschema.Draft4Validator(schema).validate(document)
    (run,) = document["runs"]
    places = [
        (
            each["ruleId"],
            each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            each["locations"][0]["physicalLocation"]["region"]["startLine"],
        )
        for each in run["results"]
    ]
    assert places == [
        ("TS302", "several.py", 7),
        ("TS311", "several.py", 8),
        ("TS302", "several.py", 9),
        ("TS201", "library_child.py", 8),
        ("TS402", "optional.py", 10),
        ("TS302", "script_class.py", 11),
    ]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[each["ruleIndex"]] == each["ruleId"] for each in run["results"])
    (related,) = run["results"][3]["relatedLocations"]
    assert related["physicalLocation"]["artifactLocation"]["uri"].startswith("file:///")


def test_a_broken_document_is_not_valid(checked) -> None:
    document = json.loads(checked("--format=sarif"))
    schema = json.loads((DATA / "sarif-2.1.0.json").read_text("utf-8"))
    del document["runs"][0]["tool"]["driver"]["name"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(schema).validate(document)


def test_github_commands(checked) -> None:
    lines = checked("--format=github").splitlines()
    first = (
        "::error file=several.py,line=7,col=9,endLine=7,endColumn=18,title=TS302::"
        "'Tensor' object has no attribute or method 'nothing'"
    )
    assert len(lines) == 6
    assert lines[0].startswith(first)
    assert all("%0A" in line for line in lines[3:5])


def test_junit(checked) -> None:
    text = checked("--format=junit")
    root = ET.fromstring(text[: text.index("</testsuites>") + len("</testsuites>")])
    assert (root.get("tests"), root.get("failures")) == ("7", "6")
    suites = {suite.get("name"): suite for suite in root}
    assert [*suites] == FILES
    case = suites["optional.py"].find("testcase")
    assert case is not None and case.get("name") == "TS402 at optional.py:10:16"
    assert suites["factory.py"].find("testcase/failure") is None


def test_the_problem_matcher_reads_the_text(checked) -> None:
    (matcher,) = json.loads(GITHUB_MATCHER.read_text("utf-8"))["problemMatcher"]
    (pattern,) = matcher["pattern"]
    found = [re.match(pattern["regexp"], line) for line in checked().splitlines()]
    groups = [match.groups() for match in found if match]
    assert [(group[0], group[1], group[5]) for group in groups] == [
        ("several.py", "7", "TS302"),
        ("several.py", "8", "TS311"),
        ("several.py", "9", "TS302"),
        ("library_child.py", "8", "TS201"),
        ("optional.py", "10", "TS402"),
        ("script_class.py", "11", "TS302"),
    ]
    assert pattern["code"] == 6 and groups[4][3:5] == ("error", groups[4][4])


def test_text_is_wrapped_to_columns(checked, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = checked()
    monkeypatch.setenv("COLUMNS", "60")
    wrapped = checked()
    sentences = [line for line in wrapped.splitlines() if re.search("(error|note|help): ", line)]
    assert max(map(len, whole.splitlines())) > 100
    assert len(sentences) > 10
    assert max(len(line) for line in sentences if "site-packages" not in line) <= 60
    assert " ".join(wrapped.split()) == " ".join(whole.split())


def test_a_file_for_the_output(checked, tmp_path: Path) -> None:
    path = tmp_path / "faults.json"
    assert (
        checked("--format=json", "-o", str(path))
        == "6 errors in 4 of 5 files; 2 not checked (--verbose lists them)\n"
    )
    assert len(json.loads(path.read_text("utf-8"))["faults"]) == 6
