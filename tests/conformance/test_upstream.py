"""Running PyTorch's tests, shown on a small test folder made up here."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from conformance.__main__ import main
from conformance.upstream import eligibility, report, scope
from conformance.upstream.runner import Result, Run, find_files, run_files

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="tests run in forks")

FILE = """
import os
import signal
import unittest

import torch
from torch.testing import FileCheck


@torch.jit.script
def half(x: int) -> int:
    return x // 2


class TestSmall(unittest.TestCase):
    def test_adds(self):
        @torch.jit.script
        def add(x: int) -> int:
            return x + 1

        self.assertEqual(add(1), 2)

    def test_of_the_file(self):
        self.assertEqual(torch.jit.annotate(int, half(9)), 4)

    def test_traced_text(self):
        compiled = torch.jit.script(half)
        with self.assertRaises(Exception):
            torch.jit._get_trace_graph(compiled)

    def test_wrong(self):
        self.assertEqual(half(8), 5)

    def test_dies(self):
        half(os.kill(os.getpid(), signal.SIGSEGV))

    @unittest.skip("not today")
    def test_skipped(self):
        half(1)

    def test_passes_of_torch(self):
        half(2)
        torch._C._jit_pass_decompose_ops(half.graph)

    def helper(self):
        return half.graph.insertConstant(1)

    def test_through_a_helper(self):
        self.helper()

    def test_named_only(self):
        if half(2) == 2:
            torch._C._jit_pass_decompose_ops(half.graph)

    def test_pass_of_both(self):
        torch._C._jit_pass_constant_propagation(half.graph)
        self.assertEqual([node.kind() for node in half.graph.nodes()][-1], "aten::floordiv")

    def test_looks_for_the_executor(self):
        found = FileCheck().check("prim::Constant").check_not("prim::DifferentiableGraph")
        self.assertIsInstance(found, FileCheck)
        found.run(half.graph)

    def test_looks_for_nodes(self):
        kind = "prim::DifferentiableGraph"
        FileCheck().check("prim::Constant").check_next("aten::floordiv").run(half.graph)

    def test_of_nothing(self):
        self.assertTrue(True)

    def test_compiles_nothing(self):
        self.assertEqual(torch.jit.annotate(int, 3), 3)
"""
HARNESS = """
import torch
from torch.testing._internal.jit_utils import JitTestCase


class TestHarness(JitTestCase):
    def test_check_script(self):
        def f(x: int, y: int) -> int:
            return x // y

        self.checkScript(f, (-7, 2))

    def test_run_pass(self):
        @torch.jit.script
        def three() -> int:
            return 1 + 2

        self.run_pass("constant_propagation", three.graph)
        self.assertEqual(three(), 3)

    def test_check_script_of_text(self):
        self.checkScript("def g(x: int) -> int:\\n    return x * 2\\n", (3,), "g")

    def test_check_script_finds_differences(self):
        def f(x: int) -> int:
            if torch.jit.is_scripting():
                return x
            return x + 1

        with self.assertRaisesRegex(AssertionError, "not equal"):
            self.checkScript(f, (1,))
"""
ENDLESS = """
import time
import unittest


class TestEndless(unittest.TestCase):
    def test_hangs(self):
        time.sleep(600)

    def test_spins(self):
        sum(iter(int, 1))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A `test` folder."""
    root = tmp_path_factory.mktemp("test")
    (root / "jit").mkdir()
    (root / "jit" / "test_small.py").write_text(FILE)
    (root / "jit" / "test_harness.py").write_text(HARNESS)
    (root / "jit" / "test_broken.py").write_text("import no_such_module_at_all\n")
    return root


def outcomes(
    folder: Path, implementation: str, only: list[str] | None = None, file: str = "test_small"
) -> dict[str, Result]:
    run = Run(folder, implementation, timeout=5.0, is_recorded=implementation == "torch")
    return {result.name: result for result in run_files(run, {f"jit/{file}.py": only})}


def full(name: str) -> str:
    return f"jit/test_small.py::TestSmall::test_{name}"


@pytest.fixture(scope="module")
def control(folder: Path) -> dict[str, Result]:
    return outcomes(folder, "torch")


@pytest.mark.slow
def test_each_outcome_is_told_and_costs_one_test_only(control: dict[str, Result]) -> None:
    found = {name.partition("::test_")[2]: result.outcome for name, result in control.items()}
    assert found == {
        "adds": "passed",
        "of_the_file": "passed",
        "traced_text": "passed",
        "wrong": "failed",
        "dies": "crashed",
        "skipped": "skipped",
        "passes_of_torch": "passed",
        "through_a_helper": "passed",
        "named_only": "passed",
        "pass_of_both": "passed",
        "looks_for_the_executor": "passed",
        "looks_for_nodes": "passed",
        "of_nothing": "passed",
        "compiles_nothing": "passed",
    }
    assert control[full("wrong")].error == "AssertionError: 4 != 5"
    assert control[full("dies")].error == "killed by SIGSEGV"


@pytest.mark.slow
def test_a_test_without_an_end_costs_its_time_only(tmp_path: Path) -> None:
    (tmp_path / "jit").mkdir()
    (tmp_path / "jit" / "test_endless.py").write_text(ENDLESS)
    found = outcomes(tmp_path, "torch", file="test_endless")
    assert [each.outcome for each in found.values()] == ["timeout", "timeout"]


def test_what_is_left_out_has_a_reason(control: dict[str, Result]) -> None:
    reasons = {name: eligibility.reason(result) for name, result in control.items()}
    assert reasons[full("passes_of_torch")] == "torch._C passes: _jit_pass_decompose_ops"
    assert reasons[full("through_a_helper")] == "a C++ module or graph object: Graph.insertConstant"
    looks = reasons[full("looks_for_the_executor")]
    assert looks == "torch's executor: prim::DifferentiableGraph"
    assert (
        reasons[full("looks_for_nodes")]
        == reasons[full("named_only")]
        == reasons[full("pass_of_both")]
        == ""
    )


@pytest.mark.slow
def test_minits_stands_in_and_what_it_lacks_is_a_failure(folder: Path) -> None:
    names = [full(name) for name in ("adds", "of_the_file", "traced_text", "gone", "pass_of_both")]
    found = outcomes(folder, "minits", names)
    outcome = [found[name].outcome for name in names]
    assert outcome == ["passed", "passed", "failed", "crashed", "passed"]
    assert report.cause(found[names[2]]) == "minits has no torch.jit._get_trace_graph"
    assert found[names[3]].error == "the test is not there"


@pytest.mark.slow
def test_the_list_is_written_and_used(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed, page, results = tmp_path / "list.txt", tmp_path / "page.md", tmp_path / "results.json"
    command = ["upstream", str(folder), "--list", str(listed), "--timeout", "20"]
    assert main([*command, "--eligible"]) == 0
    excluded = eligibility.read_excluded(listed)
    assert excluded["jit/test_broken.py"].startswith("unimportable with torch.jit")
    assert excluded[full("skipped")] == "skipped with torch.jit"
    assert excluded[full("compiles_nothing")] == excluded[full("of_nothing")] == "compiles nothing"
    assert eligibility.read(listed) == {
        full("adds"): "language",
        full("of_the_file"): "language",
        full("traced_text"): "tracing",
        full("named_only"): "language",
        full("pass_of_both"): "passes",
        full("looks_for_nodes"): "language",
        **{
            f"jit/test_harness.py::TestHarness::test_{name}": "language"
            for name in ("check_script", "check_script_of_text", "check_script_finds_differences")
        },
        "jit/test_harness.py::TestHarness::test_run_pass": "passes",
    }
    before = listed.read_text()
    assert main([*command, "--eligible", "--test", "test_pass_of_both"]) == 0
    assert listed.read_text() == before
    more = ["--failures", "--json", str(results), "--markdown", str(page)]
    assert main([*command, *more]) == 1
    assert f"{full('traced_text')}: MissingFeature" in capsys.readouterr().out
    report_of_all = json.loads(results.read_text())
    assert report_of_all["totals"]["all"] == {"passed": 9, "of": 10}
    assert report_of_all["cases"][full("traced_text")]["outcome"] == "failed"
    assert "| tracing | 1 | 0 | 0.0 % |" in page.read_text()
    assert main([*command, "--test", "no such test"]) == 2


def test_a_folder_without_tests_is_refused_and_a_missing_list(folder: Path, tmp_path: Path) -> None:
    assert main(["upstream", str(tmp_path)]) == 2
    assert main(["upstream", str(folder), "--list", str(tmp_path / "none.txt")]) == 2
    assert find_files(tmp_path) == []


def test_failures_of_one_cause_stand_together() -> None:
    results = [
        Result("a", "failed", "CompileError: /x/a.py:1:2: error: no 'p' here [TS101]"),
        Result("b", "failed", "CompileError: /x/b.py:7:12: error: no 'q' here [TS101]"),
        Result("c", "timeout", "no end within the time limit"),
        Result("d", "passed"),
    ]
    groups = [(why, len(group)) for why, group in report.by_cause(results)]
    assert groups == [
        ("error: no '…' here [TS101]", 2),
        ("timeout: no end within the time limit", 1),
    ]


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("jit/test_async.py::TestAsync::test_async_save", "async"),
        ("jit/test_enum.py::TestEnum::test_enum_error", "classes"),
        ("test_jit.py::TestScript::test_module_attrs", "modules"),
        ("test_jit.py::TestScript::test_while_nest_if", "language"),
        ("test_jit.py::TestScript::test_bad_call_raises", "errors"),
        ("test_jit.py::TestJitGeneratedModule::test_nn_Tanh", "modules"),
        ("test_jit.py::TestJitGeneratedFunctional::test_nn_relu", "builtins"),
    ],
)
def test_categories(name: str, category: str) -> None:
    assert scope.category(name) == category


def test_the_committed_list_holds_names_only() -> None:
    """Each line is a known category or a reason, and the name of a test or a file."""
    eligible = eligibility.read(eligibility.PATH)
    excluded = eligibility.read_excluded(eligibility.PATH)
    assert set(eligible.values()) == set(scope.CATEGORIES)
    assert not set(eligible) & set(excluded)
    assert all(name.count("::") == 2 for name in eligible)
    assert all(excluded.values())


def test_every_failure_on_the_page_is_explained() -> None:
    assert report.UNEXPLAINED not in (eligibility.PATH.parents[2] / "docs/upstream.md").read_text(
        "utf-8"
    )


def test_failures_are_told_with_their_explanations(tmp_path: Path) -> None:
    explained, page = tmp_path / "explained.txt", tmp_path / "page.md"
    explained.write_text(
        "# comment\nf.py::A::b\tits own reason\nminits has no torch.jit.x\tlacks x\n"
    )
    results = [
        Result("f.py::A::a", "failed", "MissingFeature: minits has no torch.jit.x"),
        Result("f.py::A::b", "failed", "MissingFeature: minits has no torch.jit.x"),
        Result("f.py::A::c", "failed", "AssertionError: 1 != 2"),
        Result("f.py::A::d", "passed"),
    ]
    eligible = dict.fromkeys((result.name for result in results), "language")
    report.write_markdown(page, results, eligible, {}, explained)
    text = page.read_text()
    assert "| language | 1 test | lacks x |" in text
    assert "| language | `f.py::A::b` | its own reason |" in text
    assert f"| language | `f.py::A::c` | {report.UNEXPLAINED}: AssertionError: N != N |" in text
