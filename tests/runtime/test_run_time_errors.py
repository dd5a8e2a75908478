"""What a compiled function raises: a `RuntimeError`, as torch.jit does, and Python's class too."""
# ruff: noqa: UP006, UP035

from __future__ import annotations

import sys
from typing import Any, Dict, List

import pytest
import torch

import minits
from minits.codegen.script_traceback import message_of
from minits.ops.errors import ScriptError


def look_up(xs: List[int], d: Dict[str, int], divisor: int) -> int:
    if divisor == 7:
        raise NotImplementedError("seven")
    return xs[3] // divisor if len(xs) > 0 else d["q"]


@pytest.mark.parametrize(
    "arguments, kind, message",
    [
        (([1], {}, 1), IndexError, "list index out of range"),
        (([], {}, 1), KeyError, "KeyError: q"),
        (([1, 2, 3, 4], {}, 0), ZeroDivisionError, "division by 0"),
        (([], {}, 7), NotImplementedError, "seven"),
    ],
)
def test_faults(arguments: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        minits.script(look_up)(*arguments)
    assert isinstance(caught.value, RuntimeError) and isinstance(caught.value, ScriptError)
    assert message_of(caught.value) == message
    assert str(caught.value).endswith(f": {message}")
    assert any(str(entry.path) == __file__ for entry in caught.traceback[1:])


def put(xs: List[int], at: int) -> List[int]:
    xs[at] = 3
    return xs


def removed(xs: List[int], at: int) -> List[int]:
    del xs[at]
    return xs


@pytest.mark.parametrize("function", [put, removed])
@pytest.mark.parametrize("at", [1, -2])
def test_faults_of_statements_have_torchs_words(function: Any, at: int) -> None:
    """Python has others for an assignment than for a look-up."""
    messages = []
    for script in (minits.script, torch.jit.script):
        with pytest.raises(RuntimeError) as caught:
            script(function)([1], at)
        messages.append(str(caught.value).rstrip().rpartition("\n")[2])
    assert messages == ["RuntimeError: list index out of range"] * 2


def added(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x + y


def added_twice(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    z = added(x, x)
    return added(z, y)


class Adds(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return self.helped(x, y)

    def helped(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return added(x, y)


def refuses(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    if x.dim() == 1:
        raise ValueError("too few")
    return x


def failure(program: Any, *arguments: Any) -> str:
    with pytest.raises(Exception) as caught:
        program(*arguments)
    return str(caught.value).rstrip()


@pytest.mark.parametrize("program", [added, Adds(), refuses], ids=["function", "module", "raise"])
def test_the_text_is_torchs(program: Any) -> None:
    arguments = torch.ones(3), torch.ones(4)
    ours, theirs = (
        failure(script(program), *arguments) for script in (minits.script, torch.jit.script)
    )
    assert ours.splitlines() == theirs.splitlines()
    assert ours.startswith("The following operation failed in the TorchScript interpreter.\n")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="tracebacks have lines only")
def test_a_function_that_is_inlined_twice() -> None:
    text = failure(minits.script(added_twice), torch.ones(3), torch.ones(4))
    assert "return x + y\n           ~~~~~ <--- HERE" in text


def packed(x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    return torch.nn.utils.rnn.pack_padded_sequence(x, lengths, True).data.sin()


def attended(x: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    weight, bias = torch.ones(int(rows.numel()), 4), torch.ones(12)
    found, _ = torch.nn.functional.multi_head_attention_forward(
        x, x, x, 4, 2, weight, bias, None, None, False, 0.0, torch.ones(4, 4), torch.ones(4)
    )
    return found


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 tells lines alone")
@pytest.mark.parametrize(
    "program, right, wrong",
    [
        (packed, (torch.ones(2, 3, 4), torch.tensor([3, 1])), torch.tensor([1, 3])),
        (attended, (torch.ones(3, 1, 4), torch.ones(12)), torch.ones(11)),
    ],
)
def test_the_line_of_a_function_of_another_file_is_torchs(
    program: Any, right: Any, wrong: torch.Tensor
) -> None:
    theirs, ours = torch.jit.script(program), minits.script(program)
    expected = failure(theirs, right[0], wrong)
    for _ in range(3):
        ours(*right)
        found = failure(ours, right[0], wrong)
        assert innermost_place(found) == innermost_place(expected), found


def innermost_place(text: str) -> str:
    """Return the last file and line that an error names."""
    places = [line.rpartition(", in ")[0] for line in text.splitlines() if ", line " in line]
    return places[-1].strip()


def test_results_of_python_functions_are_checked() -> None:
    @torch.jit.ignore
    def promises(x: torch.Tensor) -> torch.Tensor:
        return (x, x)  # type: ignore[return-value]

    def calls(x: torch.Tensor) -> torch.Tensor:
        return promises(x)

    with pytest.raises(RuntimeError, match="instead got value of type tuple"):
        minits.script(calls)(torch.ones(2))


def test_a_place_is_told_for_a_method_of_a_list() -> None:
    def empties(xs: List[int]) -> int:
        xs.pop()
        return len(xs)

    assert "xs.pop()\n        ~~~~~~ <--- HERE" in failure(minits.script(empties), [])
