"""Type comments are read where torch reads them, and refused where torch refuses them."""

import linecache
from typing import Any

import pytest
import torch

import minits
from minits.diagnostics import CompileError

ACCEPTED = [
    "def f(a):\n    # type: (int) -> int\n    return a + 2\n",
    "def f(a  # type: int\n      ):\n    # type: (...) -> int\n    return a\n",
    "def f(a):\n    b = 1  # type: ignore[misc]\n    return a + b\n",
    "def f(a):\n    b = 1  #type: ignore\n    return a + b\n",
    "def f(a):\n    b = 1  # the type: an int\n    return a + b\n",
]
REFUSED = [
    ("def f(a):\n    #type: (int) -> int\n    return a + 2\n", "annotation prefix in line"),
    ("def f(a):\n    # type : (int) -> int\n    return a + 2\n", "annotation prefix in line"),
    ("def f(a):\n    #  type: (int) -> int\n    return a + 2\n", "annotation prefix in line"),
    ("def f(a):\n    b = a  # type: int\n    return b + 2\n", "expected type comment but found"),
    ("def f(a):  # type: (int) -> int\n    return a\n", "expected type comment but found"),
    (
        "def f(a):\n    # type: (int) -> int\n    b = a  # type: int\n    return b\n",
        "Return type line '# type: (...) -> ...' not found",
    ),
    (
        "def f(a,  # type: int\n      b  # type: int\n      ):\n    return a + b\n",
        "Return type line '# type: (...) -> ...' not found",
    ),
    (
        "def f(a,  # type: int\n      b\n      ):\n    # type: (...) -> int\n    return a\n",
        "Number of type annotations (1) did not match the number of function parameters (2)",
    ),
]


def defined(text: str) -> Any:
    file = f"<{hash(text)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"__name__": __name__}
    exec(compile(text, file, "exec"), scope)
    return scope["f"]


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(text: str) -> None:
    expected = torch.jit.script(defined(text)).schema
    assert str(minits.script(defined(text)).schema) == str(expected)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("def f(a):\n    # type: (List[Nope]) -> int\n    return 1\n", (2, "Nope")),
        ("def f(a):\n    # type: (int) -> Nope\n    return 1\n", (2, "Nope")),
        (
            "def f(a,  # type: int\n      b  # type: Optional[Nope]\n      ):\n"
            "    # type: (...) -> int\n    return 1\n",
            (2, "Nope"),
        ),
        ("def f(a):\n    # type: (int, List[) -> int\n    return 1\n", (2, "(int, List[)")),
    ],
)
def test_a_fault_is_told_in_the_comment(text: str, shown: tuple[int, str]) -> None:
    with pytest.raises(CompileError) as caught:
        minits.script(defined(text))
    where = caught.value.diagnostics[0].range
    assert (where.begin.line, where.text) == shown


@pytest.mark.parametrize("text, phrase", REFUSED)
def test_refused(text: str, phrase: str) -> None:
    with pytest.raises(RuntimeError) as theirs:
        torch.jit.script(defined(text))
    with pytest.raises(CompileError) as ours:
        minits.script(defined(text))
    assert phrase in str(theirs.value) and phrase in str(ours.value)
    (fault,) = ours.value.diagnostics
    assert fault.code == "TS212" and fault.fix and fault.range is not None


def test_the_extended_dialect_leaves_comments_alone() -> None:
    text = "def f(a: int):\n    b = a  # type: int\n    return b + 2\n"
    assert minits.script(defined(text), dialect="extended")(1) == 3
