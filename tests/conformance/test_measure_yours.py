"""docs/measure-your-implementation.md is true: its adapter is a third implementation that runs."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import jsonschema
import pytest

from conformance.__main__ import _parser, main
from conformance.case import find_cases
from conformance.compare import NEGATIVE, POSITIVE
from conformance.implementations import Adapter, implementation
from conformance.known_failures import read_known_failures
from conformance.levels import LEVELS, cases_at
from conformance.options import SCHEMA
from conformance.suite import check

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/measure-your-implementation.md").read_text("utf-8")
OUTPUTS = ["--impl", "eager_adapter:Eager", "--level", "outputs", "--chapter", "functions"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the page's adapter, which Python can import."""
    (text,) = [text for text in re.findall(r"```python\n(.*?)```", PAGE, re.S) if "Adapter" in text]
    lines = [line for line in text.splitlines() if line.strip()]
    assert len(lines) <= 10
    (tmp_path / "eager_adapter.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def validated(path: Path) -> dict[str, object]:
    report: dict[str, object] = json.loads(path.read_text("utf-8"))
    jsonschema.validate(report, json.loads(SCHEMA.read_text("utf-8")))
    return report


@pytest.mark.slow
def test_the_adapter_is_measured_and_its_failures_are_held_to(folder: Path) -> None:
    listed, told = folder / "eager.txt", folder / "report.json"
    assert main(["run", *OUTPUTS, "--write-known-failures", str(listed)]) == 0
    known = read_known_failures(listed)
    assert main(["run", *OUTPUTS, "--known-failures", str(listed), "--json", str(told)]) == 0
    report = validated(told)
    totals = report["totals"]["outputs"]
    assert 15 < totals["passed"] == totals["of"] - len(known) < totals["of"]
    assert ("functions/integer_overflow", "outputs") in known  # Python's integers have no end
    first, *others = listed.read_text().splitlines()[1:]
    listed.write_text("\n".join([*others, "functions/closure_over_function outputs: no"]))
    assert main(["run", *OUTPUTS, "--known-failures", str(listed), "--json", str(told)]) == 1
    faults = validated(told)["faults"]
    assert faults == [
        f"not a known failure: {first.partition(' outputs')[0]}: outputs",
        "passes, strike it out of eager.txt: functions/closure_over_function: outputs",
    ]


def test_a_pattern_lists_many_failures(folder: Path) -> None:
    listed = folder / "eager.txt"
    listed.write_text("freezing/* *: nothing can be frozen\n")
    command = ["run", *OUTPUTS[:4], "--known-failures", str(listed), "--case", "freezing/short"]
    assert main(command) == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run", "--impl", "nobody"], "no implementation 'nobody'"),
        (["run", "--impl", "no_such_module:Class"], "No module named 'no_such_module'"),
        (["run", "--impl", "eager_adapter:Lazy"], "the module has no Lazy"),
        (["fuzz", "--calls", "--impl", "torch"], "--impl needs --language"),
        (["fuzz", "--archive", "--scheduler", "tcp://a:1"], "has its own processes"),
        (["ops", "--of", "schemas", "--name", "no such operator"], "no such entry"),
    ],
)
def test_misuse_is_told(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert told in capsys.readouterr().out


def test_a_list_that_cannot_be_read_is_told_with_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = folder / "bad.txt"
    listed.write_text("# a comment\nfunctions/rounding fails\n")
    assert main(["run", *OUTPUTS, "--known-failures", str(listed)]) == 2
    assert "bad.txt:2: a line is" in capsys.readouterr().out


def test_levels_ask_for_more_and_more() -> None:
    outputs, graphs, text = (set(measures) for measures in LEVELS.values())
    assert outputs < graphs < text == {*POSITIVE, *NEGATIVE}
    cases = find_cases(pattern="errors/variable_changes_type")
    assert (cases_at("outputs", cases), cases_at("graphs", cases)) == ([], cases)


def test_a_level_leaves_out_the_measures_of_others() -> None:
    (verdict,) = check(find_cases(pattern="functions/closure_over_f"), "torch", level="graphs")
    assert list(verdict.results) == ["compiles", "outputs", "raising_line", "structure"]


def test_archives_of_torch_are_read_by_minits(folder: Path) -> None:
    told = folder / "report.json"
    command = ["archives", "--impl", "torch", "--reader", "minits", "--case", "functions/rounding"]
    assert main([*command, "--json", str(told)]) == 0
    assert validated(told)["totals"] == {"outputs": {"passed": 1, "of": 1}}


@pytest.mark.slow
def test_random_programs_tell_eager_from_torch(folder: Path) -> None:
    told = folder / "report.json"
    command = ["fuzz", "--language", "--impl", "eager_adapter:Eager", "--level", "outputs"]
    status = main([*command, "-n", "3", "--jobs", "1", "--seed", "3", "--json", str(told)])
    report = validated(told)
    assert status == bool(report["faults"])
    assert report["totals"]["programs"]["of"] == 3


def test_operators_of_eager_are_torchs(folder: Path) -> None:
    told = folder / "report.json"
    command = ["ops", "--of", "schemas", "--name", r"aten::sinc\(", "--samples", "1"]
    assert main([*command, "--impl", "eager_adapter:Eager", "--json", str(told)]) == 0
    totals = validated(told)["totals"]
    assert totals["graphs"] == {"passed": 0, "of": 0}
    assert totals["outcomes"]["of"] >= 6


def test_a_report_of_another_form_is_refused(folder: Path) -> None:
    told = folder / "report.json"
    told.write_text(json.dumps({"format": 1, "command": "run"}))
    with pytest.raises(jsonschema.ValidationError):
        validated(told)


def test_all_commands_of_the_page_are_there() -> None:
    found = re.findall(r"python -m conformance ([^`\n#]*)", PAGE)
    assert len(found) > 8
    for command in found:
        _parser().parse_args(shlex.split(command.replace("--json FILE", "")))


def test_all_methods_of_the_page_are_an_adapters() -> None:
    named = set(re.findall(r"`(\w+)\(", PAGE)) - {"main"}
    assert {name for name in named if not hasattr(Adapter, name)} == set()
    assert isinstance(implementation("eager_adapter:Eager"), Adapter)
