"""Types that may be None, however they are written: tested, assigned, held and saved as by torch.

Where torch.jit computes something else than Python (in loops), minits does as Python.
"""

import io
import linecache
import typing
from enum import Enum
from typing import Any, NamedTuple

import pytest
import torch

import minits
from minits.ir.canonical import canonicalize
from minits.ir.printer import print_graph


class Colour(Enum):
    RED = 1
    BLUE = 2


@torch.jit.script
class Box:
    def __init__(self, content: int) -> None:
        self.content = content


class Pair(NamedTuple):
    first: int


Alias = int | None
AliasOfAny = Any | None

TYPES = {
    "Any": "3",
    "Optional[Any]": "3",
    "AliasOfAny": "torch.ones(1)",
    "Union[Any, None]": "'a'",
    "Union[None, Any]": "(1, 2)",
    "Any | None": "torch.ones(1)",
    "Optional[Optional[Any]]": "2.5",
    "Union[int, Any, None]": "3",
    "Union[Optional[Any], int]": "3",
    "Optional[Union[int, str]]": "'a'",
    "Union[None, int, str]": "3",
    "Union[Optional[int], Optional[str]]": "'a'",
    "Union[List[int], None, List[str]]": "['a']",
    "Optional[Union[int, float, complex]]": "2.5",
    "None | int": "3",
    "Optional[Alias]": "3",
    "Optional[Colour]": "Colour.RED",
    "Optional[Box]": "Box(1)",
    "Optional[Pair]": "Pair(1)",
    "Optional[Tensor]": "torch.ones(1)",
    "Optional[List[Any]]": "[1]",
    "Optional[List[Optional[Any]]]": "[1]",
    "Optional[Dict[str, Any]]": "{'a': 1}",
    "Optional[Tuple[int, Any]]": "(1, 2)",
    "Optional[torch.jit.Future[int]]": "torch.jit.fork(one)",
    "None": "None",
    "Optional[None]": "None",
}
"""By annotation, an expression of a value beside None."""

PROGRAMS = {
    "is None": """
        def f(x: {type}) -> int:
            if x is None:
                return 1
            return 2
    """,
    "default": """
        def f(x: {type} = None) -> int:
            return 1 if x is not None else 2
    """,
    "assert": """
        def f(x: {type}) -> int:
            assert x is not None
            return 2
    """,
    "isinstance": """
        def f(x: {type}) -> int:
            if isinstance(x, int):
                return x + 1
            if isinstance(x, (str, float)):
                return 4
            return 3 if x is None else 2
    """,
    "truth": """
        def f(x: {type}) -> int:
            if x:
                return 1
            return 2
    """,
    "or": """
        def f(x: {type}) -> int:
            if x is None or one() > 1:
                return 1
            y = x
            return 2 if y is not None else 3
    """,
    "returned": """
        def f(x: {type}) -> {type}:
            return x
    """,
    "assigned in a branch": """
        def f(n: int) -> int:
            x: {type} = None
            if n > 0:
                x = {value}
            return 1 if x is None else 2
    """,
    "cleared in a branch": """
        def f(n: int) -> int:
            x: {type} = {value}
            if n > 0:
                x = None
            return 1 if x is None else 2
    """,
    "assigned in a loop": """
        def f(n: int) -> int:
            x: {type} = None
            k = 0
            for i in range(n):
                if x is None:
                    x = {value}
                    k += 1
                elif i == 2:
                    x = None
                else:
                    pass
            return k if x is None else 100 + k
    """,
    "cleared in a loop": """
        def f(n: int) -> int:
            x: {type} = {value}
            while x is not None and n > 0:
                n -= 1
                if n == 1:
                    x = None
            return n
    """,
    "element of a list": """
        def f(n: int) -> int:
            xs: List[{type}] = []
            xs.append(None)
            xs.append({value})
            k = 0
            for x in xs:
                if x is None:
                    k += 1
            return k * 10 + (1 if xs[0] is None else 2)
    """,
    "element of a dict": """
        def f(n: int) -> int:
            xs: Dict[str, {type}] = {{'a': None}}
            xs['b'] = {value}
            return (1 if xs['a'] is None else 2) + (10 if xs['b'] is None else 20)
    """,
    "element of a tuple": """
        def f(n: int) -> int:
            xs: Tuple[{type}, int] = (None, 1)
            return 1 if xs[0] is None else 2
    """,
    "argument": """
        def given(x: {type} = None) -> int:
            return 1 if x is None else 2
        def f(n: int) -> int:
            return given(None) + 10 * given({value}) + 100 * given()
    """,
}


def program(type: str, name: str) -> Any:
    """The function `f` of a program."""
    text = "def one() -> int:\n    return 1\n"
    for line in PROGRAMS[name].splitlines()[1:-1]:
        text += line[8:].format(type=type, value=TYPES[type]) + "\n"
    file = f"<{name} of {type}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    names = {**typing.__dict__, **globals(), "Tensor": torch.Tensor, "__name__": __name__}
    exec(compile(text, file, "exec", dont_inherit=True), names)
    return names["f"]


def calls(function: Any, type: str) -> list[tuple[Any, ...]]:
    """Arguments: None and the value, or how often a loop runs."""
    if "n" in function.__annotations__:
        return [(0,), (1,), (2,), (5,)]
    if "Box" in type or "Future" in type:  # objects of torch.jit's, and of minits'
        return [(None,)]
    return [(None,), (eval(TYPES[type]),)]


def outcomes(function: Any, arguments: list[tuple[Any, ...]]) -> list[Any]:
    found = []
    for given in arguments:
        try:
            found.append(repr(function(*given)))
        except Exception:
            found.append("raises")
    return found


def texts(function: Any, graph: str) -> tuple[str, str]:
    return str(function.schema).partition("(")[2], graph


@pytest.mark.one_in(8)
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("type", TYPES)
def test_as_torch(type: str, name: str) -> None:
    is_only_ours = type == "Optional[None]"  # torch.jit ends without an error message
    function = program("None" if is_only_ours else type, name)
    arguments = calls(function, type)
    expected = outcomes(function, arguments)
    try:
        theirs = torch.jit.script(function)
    except RuntimeError as error:
        if "INTERNAL ASSERT" not in str(error):
            with pytest.raises(minits.CompileError):
                minits.script(program(type, name))
            return
        theirs = None
    ours = minits.script(program(type, name))
    if theirs is not None and not is_only_ours:
        canonical = torch._C._jit_pass_canonicalize(theirs.graph)
        mine = texts(ours, print_graph(canonicalize(ours.graph)))
        assert mine == texts(theirs, str(canonical))
        if name != "assigned in a loop" or type == "Any":  # torch.jit forgets the assignment
            expected = outcomes(theirs, arguments)
    for _ in range(3):
        assert outcomes(ours, arguments) == expected
    assert outcomes(ours.interpret, arguments) == expected


@pytest.mark.one_in(5, over="type")
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("type", ["Optional[Any]", "Optional[Union[int, str]]"])
def test_in_c(type: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    function = program(type, name)
    try:
        ours = minits.script(program(type, name))
    except minits.CompileError:
        return
    arguments = calls(function, type)
    expected = outcomes(ours.interpret, arguments)
    monkeypatch.setenv("MINITS_NATIVE", "now")
    for _ in range(2):
        assert outcomes(ours, arguments) == expected


@pytest.mark.parametrize("type", TYPES)
def test_saved(type: str) -> None:
    """The archives of both read alike, by both."""
    function = program(type, "returned")
    ours = io.BytesIO()
    minits.save(minits.script(function), ours)
    schemas = [_read(minits.load, ours)]
    if type != "Optional[None]":  # which torch.jit has not, nor reads
        theirs = io.BytesIO()
        torch.jit.save(torch.jit.script(function), theirs)
        schemas += [_read(torch.jit.load, ours), _read(minits.load, theirs)]
    assert len({str(each).replace("Union(Scalar)?", "Scalar?") for each in schemas}) == 1


def _read(load: Any, archive: io.BytesIO) -> Any:
    archive.seek(0)
    return str(load(archive).forward.schema).partition(",")[2]
