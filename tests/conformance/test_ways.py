"""Each case gives one result by every way to run it, and a pass at fault is named.

`python -m conformance ways` does it with all cases.
"""

from __future__ import annotations

import pytest

from conformance.__main__ import main
from conformance.case import find_cases
from conformance.ways import LEFT_OUT, NEEDED, check_case, check_ways, in_turns, optional_passes
from minits.ir.graph import Graph
from minits.passes.pipeline import PASSES, Pass, without_passes


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "name",
    ["while_loops/carried_containers", "exits/continue_skips_the_rest", "modules/nn_linear_stack"],
)
def test_a_case_gives_one_result(name: str) -> None:
    [case] = find_cases(pattern=name)
    [(told, result)] = check_ways([case], {name: ("cse", "peephole")})
    assert told == name
    assert result.faults == []
    assert result.ways == 7  # interpreter, two caches, at once, C, two passes
    assert result.calls % (3 * 7) == 0


def test_the_pass_at_fault_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def confuse(graph: Graph) -> bool:
        for node in graph.nodes_of_kind("aten::add"):
            node.kind = "aten::sub"
        return True

    monkeypatch.setitem(PASSES, "cse", Pass("nowhere:confuse", _function=confuse))
    monkeypatch.setenv("MINITS_PLANS", "memory")
    [case] = find_cases(pattern="while_loops/carried_containers")
    faults = {}
    without = {case.name: ("cse", "dce")}
    check_case(2, without, case, lambda sent: faults.update({sent[0]: bool(sent[2])}))
    assert not faults["interpreter"]
    assert not faults["without cse"]
    assert faults["planned at once"]
    assert faults["without dce"]


def test_a_pass_is_back_after_the_block() -> None:
    before = dict(PASSES)
    with pytest.raises(ZeroDivisionError), without_passes("cse", "dce"):
        assert PASSES["cse"].run is not before["cse"].run
        raise ZeroDivisionError
    assert before == PASSES


def test_passes_take_turns() -> None:
    cases = find_cases(chapter="while_loops")[:3]
    off = in_turns(cases, ("cse", "dce", "peephole"), 2)
    assert [*off.values()] == [["cse", "dce"], ["peephole", "cse"], ["dce", "peephole"]]
    assert in_turns(cases[:1], (), 2) == {cases[0].name: []}


def test_what_is_left_out_is_there() -> None:
    assert LEFT_OUT.keys() <= {case.name for case in find_cases()}
    assert NEEDED.keys() <= PASSES.keys()
    assert not NEEDED.keys() & set(optional_passes())


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["ways", "--case", "while_loops/no_turn", "--jobs", "1"]
    assert main([*chosen, "--calls", "2", "--without-pass", "cse"]) == 0
    assert "1 programs, 6 runs of" in capsys.readouterr().out
    assert main([*chosen, "--calls", "2", "--turns", "1"]) == 0
    assert "1 programs, 6 runs of" in capsys.readouterr().out
    assert main([*chosen, "--without-pass", "no-such"]) == 2
    assert main(["ways", "--case", "no such case"]) == 2
