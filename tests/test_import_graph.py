"""Files can be imported alone, and those that import each other stand in one room."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.import_graph import arrows_up, circles, import_graph, named_lazily, room_of

CODE = """
import os, sys, torch, lark
failed = []
for name in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        try:
            __import__(name)
        except BaseException as fault:
            print(name, repr(fault), flush=True)
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        failed.append(name)
sys.exit(len(failed))
"""


def test_circles_are_within_a_room() -> None:
    found = circles(import_graph())
    across = [circle for circle in found if len({room_of(module) for module in circle}) > 1]
    assert across == []


def test_no_arrow_goes_up() -> None:
    assert arrows_up(import_graph()) == []


def test_an_arrow_up_is_seen() -> None:
    graph = {"minits.types.types": {"minits.ops.registry"}, "minits.ops.registry": set()}
    assert arrows_up(graph) == [("minits.types.types", "minits.ops.registry")]


def test_functions_that_are_named_for_later_count() -> None:
    assert "minits.runtime.taken_over" in named_lazily("minits.runtime.script")


def test_the_circles_of_a_graph() -> None:
    graph = {"a": {"b"}, "b": {"c", "d"}, "c": {"a"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
    assert circles(graph) == [["a", "b", "c"], ["d", "e"]]
    assert circles({"a": {"b"}, "b": set()}) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_files_of_circles_are_imported_alone() -> None:
    names = sorted(name for circle in circles(import_graph()) for name in circle)
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", CODE, *names], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
