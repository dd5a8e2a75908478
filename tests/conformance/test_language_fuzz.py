"""Programs on which torch.jit and minits once differed, and what finds such programs."""

from __future__ import annotations

import ast
from random import Random

import pytest

from conformance.fuzz.language import check as language_check
from conformance.fuzz.language import search as language_search
from conformance.fuzz.language import ways
from conformance.fuzz.language.cases import CASES
from conformance.fuzz.language.check import Disagreement, Measured, check
from conformance.fuzz.language.hostile_names import renamed
from conformance.fuzz.language.mistakes import mistaken
from conformance.fuzz.language.programs import Program, random_program
from conformance.fuzz.language.search import Counts, check_program, search, shortened
from conformance.fuzz.language.shrink import shrink
from conformance.fuzz.language.ways import Interpreter
from conformance.minits_implementation import Minits
from conformance.observe import observe
from minits.codegen.python import FunctionWriter


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", CASES)
def test_what_once_disagreed(name):
    assert check(CASES[name])


@pytest.mark.slow
def test_random_programs():
    covered, faults = zip(*search(200, seed=0, jobs=2), strict=True)
    counts = sum(covered, Counts())
    assert [fault for found in faults for fault in found] == []
    assert counts.programs == 200 and counts.accepted > 80 and counts.refused > 50
    assert counts.endless < 6


def test_random_programs_are_the_same_for_the_same_seed():
    first, second = (random_program(Random(7)) for _ in range(2))
    assert first.text == second.text


@pytest.mark.parametrize("seed", range(20))
def test_a_mistake_changes_the_program_and_stays_python(seed):
    random = Random(seed)
    program = random_program(random)
    wrong = mistaken(random, program)
    assert ast.unparse(ast.parse(wrong.text)) != ast.unparse(ast.parse(program.text))


# ---- The search finds what is wrong ------------------------------------------------------------

SUM = Program(
    "def program(a: List[int]) -> int:\n"
    "    b = 0\n"
    "    for x in a:\n"
    "        b = b + x\n"
    "    return b\n",
    (([1, 2],),),
)


def test_a_wrong_result_is_found_and_shortened(monkeypatch):
    monkeypatch.setattr(Minits, "call", lambda self, compiled, call: compiled(*call.args) + 1)
    assert check_program(SUM) == "outputs"
    failure = shortened(SUM, "outputs")
    assert failure.startswith("outputs: call 0.result.int: ")
    assert "return" in failure and "for" not in failure


LOST_WRITE = Program(
    "def program(a: List[int], n: int) -> int:\n"
    "    for i in range(n):\n"
    "        a = [i]\n"
    "    a[0] = 7\n"
    "    return 1\n",
    (([1], 0),),
)


def test_a_write_that_torch_loses_says_nothing():
    assert check(LOST_WRITE) is None


FAILS_WITHIN_TORCH = Program(
    "def program() -> float:\n"
    "    a = 1\n"
    "    b = 1.5\n"
    "    for i in 'a':\n"
    "        a *= 3\n"
    "        for j in range(1, 4):\n"
    "            b = float(a)\n"
    "    return True\n",
    ((),),
)


def test_a_call_that_torch_ends_by_an_internal_assertion_says_nothing():
    assert check(FAILS_WITHIN_TORCH)


def test_another_fault_of_a_program_with_a_lost_write_is_found(monkeypatch):
    functions = Minits.functions

    def other_constant(self, compiled):
        for text in functions(self, compiled):
            yield type(text)(text.name, text.graph.replace("value=1", "value=2"), text.code)

    monkeypatch.setattr(Minits, "functions", other_constant)
    with pytest.raises(Disagreement, match="names"):
        check(LOST_WRITE)


DOUBLED = Program(
    "def program(a: List[int]) -> List[int]:\n    a += a\n    return a\n", (([2, 5],),)
)


def test_a_list_that_is_added_to_itself_says_nothing(monkeypatch):
    """torch.jit has lost what it inserts; where none was added to itself, it is another fault."""
    assert check(DOUBLED) == "accepted"
    monkeypatch.setattr(ways.interpreter, "run", lambda graph, *inputs: [2, 5])
    with pytest.raises(Disagreement, match="interpreter"):
        check(DOUBLED)


ENDLESS = Program("def program(a: int):\n    while True:\n        a += 1\n", ((1,),))


@pytest.mark.slow
def test_what_torch_does_not_end_says_nothing(monkeypatch):
    monkeypatch.setattr(language_search, "_programs", lambda count, seed: [(0, ENDLESS), (1, SUM)])
    monkeypatch.setattr(language_search, "SECONDS", 5)
    covered, faults = zip(*search(2, seed=0, jobs=1), strict=True)
    assert sum(covered, Counts()) == Counts(programs=2, accepted=1, endless=1)
    assert faults == ([], [])


def test_a_wrong_interpreter_is_found(monkeypatch):
    monkeypatch.setattr(ways.interpreter, "run", lambda graph, *inputs: 4)
    with pytest.raises(Disagreement, match=r"interpreter: call 0.result.int: 4, expected 3"):
        check(SUM)


def test_programs_run_as_c(monkeypatch):
    monkeypatch.setenv("MINITS_BUILD", "now")
    assert check(SUM, Measured(backends=("python", "native"))) == "native"
    assert check_program(SUM, Measured(backends=("native",))) == Counts(1, accepted=1, native=1)
    monkeypatch.setattr(language_check.Native, "call", lambda self, compiled, call: 5)
    assert check_program(SUM) == Counts(1, accepted=1)
    with pytest.raises(Disagreement, match=r"native: call 0.result.int: 5, expected 3"):
        check(SUM, Measured(backends=language_check.BACKENDS))


def test_a_wrong_graph_is_found(monkeypatch):
    functions = Minits.functions

    def renamed(self, compiled):
        for text in functions(self, compiled):
            yield type(text)(text.name, text.graph.replace("%b.1", "%c.1"), text.code)

    monkeypatch.setattr(Minits, "functions", renamed)
    with pytest.raises(Disagreement, match=r"names: (.|\n)*%c.1"):
        check(SUM)


LENGTHS = Program(
    "class C1:\n"
    "    def __init__(self):\n"
    "        self.x1 = 7\n"
    "    def __len__(self) -> int:\n"
    "        return 7\n"
    "def program(a: List[int]) -> int:\n"
    "    b = len(C1())\n"
    "    for x in a:\n"
    "        b = b + len(a)\n"
    "    return b\n",
    (([1, 2],),),
)


def test_names_of_builtins_that_stand_for_methods_are_found(monkeypatch):
    """A plan has the method inlined: only a call that runs as written shows it."""
    bind = FunctionWriter.bind

    def under_its_name(self, value, hint):
        name = bind(self, value, hint)
        if hint == "len":
            self.globals["len"] = vars(self).setdefault("first_len", value)
            name.id = "len"
        return name

    assert check(LENGTHS) == "accepted"
    monkeypatch.setattr(FunctionWriter, "bind", under_its_name)
    other = Program(LENGTHS.text.replace("7", "8"), LENGTHS.calls)  # which torch has not seen
    with pytest.raises(Disagreement, match="empty cache"):
        check(other)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(20))
def test_hostile_names_change_no_meaning(seed):
    random = Random(seed)
    program = random_program(random)
    other = renamed(random, program)
    first, second = (
        observe(Program(each.text, program.calls), Interpreter()) for each in (program, other)
    )
    assert first.calls == second.calls and bool(first.error) == bool(second.error)


def test_what_only_minits_accepts_is_found(monkeypatch):
    wrong = Program(SUM.text.replace("b = 0", "b = 'a'"), ())
    right = Minits().compile(SUM.load().make())
    monkeypatch.setattr(Minits, "compile", lambda self, program: right)
    with pytest.raises(Disagreement, match="refused: minits accepts it"):
        check(wrong)


def test_what_only_minits_refuses_is_found(monkeypatch):
    compile = Minits.compile
    undefined = Program("def program() -> int:\n    return a\n", ())
    monkeypatch.setattr(
        Minits, "compile", lambda self, program: compile(self, undefined.load().make())
    )
    with pytest.raises(Disagreement, match="accepted: minits refuses it"):
        check(SUM)


def test_shrinking_leaves_what_fails():
    text = (
        "def f0(a: int) -> int:\n    return a\n\n"
        "def program(a: int, b: int) -> int:\n"
        "    if a > b:\n        c = f0(a + f0(b))\n    d = 7\n    return d\n"
    )
    short = shrink(Program(text, ((1, 2),)), lambda program: "f0(b)" in program.text)
    assert short.text == "def program() -> int:\n    c = f0(b)\n" and short.calls == ()
