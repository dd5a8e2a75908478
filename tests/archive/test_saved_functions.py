"""Functions in archives: torch.jit reads what minits wrote, and it runs equal."""

# ruff: noqa: UP006, UP035, UP045
import copy
import io
import math
from typing import Any, Dict, List, Optional, Tuple

import pytest
import torch
from torch import Tensor
from torch._jit_internal import BroadcastingList2, BroadcastingList3

import minits
from tests.support.archives import packed
from tests.support.programs import PROGRAMS
from tests.support.reading_by_torch import code, read_by_torch, records, require_same, same, saved

NOT_HANDED_OVER = object()
"""A result with a string that is not UTF-8, which torch gives Python none of."""


def outcome(function: Any, arguments: Any) -> Any:
    """What a call returns, or that it raises."""
    try:
        return function(*copy.deepcopy(arguments))
    except UnicodeDecodeError:
        return NOT_HANDED_OVER
    except Exception:
        return "raises"


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("program", "calls"),
    [pytest.param(program, calls, id=program.__name__) for program, calls in PROGRAMS],
)
def test_programs_run_equal(program: Any, calls: Any) -> None:
    compiled = minits.script(program)
    loaded = read_by_torch(compiled.save_to_buffer())
    for arguments in calls:
        theirs = outcome(loaded, arguments)
        assert theirs is NOT_HANDED_OVER or same(outcome(compiled, arguments), theirs)


def test_more_early_returns_than_python_nests_blocks() -> None:
    """Each nests the rest of the function in it. A program's own blocks are at most 100."""
    branches = "".join(f"    if n == {i}:\n        return {2 * i}\n" for i in range(150))
    compiled = minits.CompilationUnit(f"def f(n: int):\n{branches}    return n\n").f
    archive = compiled.save_to_buffer()
    loaded = (read_by_torch(archive), minits.load(io.BytesIO(archive)))
    assert [each(149) for each in loaded] == [298, 298]


def with_defaults(
    x: Tensor, n: int = 3, word: str = "a", scale: float = 1e10, flag: Optional[bool] = None
) -> Tensor:
    return x * n * scale + len(word) + (1 if flag is None else 2)


def test_a_function_becomes_the_forward_of_a_module_and_keeps_its_defaults() -> None:
    loaded = require_same(with_defaults, torch.ones(2, dtype=torch.int64))
    assert loaded.original_name == "PlaceholderModule"
    x = torch.ones(1)
    assert torch.equal(loaded(x, n=2, flag=True), with_defaults(x, n=2, flag=True))


def with_sizes(
    size: BroadcastingList2[int],
    stride: Optional[BroadcastingList3[int]],
    pad: BroadcastingList2[int] = 4,
) -> List[int]:
    return size + pad if stride is None else size + pad + stride


def test_a_number_for_a_list_of_known_length() -> None:
    loaded = require_same(with_sizes, 3, 5)
    assert loaded(3, None) == [3, 3, 4, 4]
    with pytest.raises(RuntimeError, match="'pad'"):
        loaded(3, None, 5)  # torch's reader knows no length of parameters with a default


def self_is_no_module(self: Tensor, other: Tensor) -> Tensor:
    return self - other


def test_a_parameter_named_self() -> None:
    require_same(self_is_no_module, torch.ones(2), torch.zeros(2))


def reserved(range: int, annotate: int, isinstance_: int) -> Tuple[int, List[int]]:
    torch_ = range * annotate
    xs: List[int] = []
    for i in [1, 2]:
        xs.append(i + range)
    while isinstance_ < 3:
        isinstance_ += 1
    return torch_ + isinstance_, xs


def test_variables_named_like_the_words_of_the_printer() -> None:
    require_same(reserved, 2, 3, 0)


def literals() -> Tuple[List[float], List[complex], List[str], int, Dict[str, float]]:
    floats = [1e10, 1e16, -123456789012.0, 1e17, 0.1, -0.0, 1e-300, math.inf, -math.inf]
    imaginary = [1 + 2j, 3j, -1.5 - 2e10j]
    texts = ["tab\t", "cr\r", "nul\0", "del\x7f", "ü", "a'b\"c\\", "\a\b\f\v\n"]
    return floats, imaginary, texts, -9223372036854775807 - 1, {"a": 2e12}


def test_literals() -> None:
    require_same(literals)


def large_float(x: Tensor) -> Tensor:
    return x * 1e10 + 2e15


def test_large_floats_stay_floats() -> None:
    """torch.jit.save writes 10000000000, which is read as an int."""
    loaded = require_same(large_float, torch.ones(2, dtype=torch.int64))
    assert loaded(torch.ones(2, dtype=torch.int64)).dtype == torch.float32


def helper(x: Tensor, n: int) -> Tensor:
    return x + n


def other_helper(x: Tensor) -> Tensor:
    return helper(x, 1) * helper(x, 2)


def test_called_functions_are_saved_once() -> None:
    content = saved(other_helper)
    read_by_torch(content)
    texts = "".join(code(content).values())
    assert texts.count("def helper(") == 1


def forks(x: Tensor, n: int) -> Tensor:
    first = torch.jit.fork(helper, x, n)
    second = torch.jit.fork(other_helper, x)
    return torch.jit.wait(first) + torch.jit.wait(second)


def test_forks() -> None:
    require_same(forks, torch.ones(2), 3)


# ---- Versions ----------------------------------------------------------------------------------


def no_bump(x: Tensor) -> Tensor:
    return x + 1


def divides(x: Tensor) -> Tensor:
    return x / 2


def divides_floats(x: float) -> float:
    return x / 2


def fills(n: int) -> Tensor:
    return torch.full([n], 3)


def spaced(n: int) -> Tensor:
    return torch.linspace(0, 1, n)


def log_spaced(n: int) -> Tensor:
    return torch.logspace(0, 1, n)


def activated(x: Tensor) -> Tensor:
    return torch.nn.functional.gelu(x)


def forked_division(x: Tensor) -> Tensor:
    return torch.jit.wait(torch.jit.fork(divides, x))


@pytest.mark.parametrize(
    ("program", "argument", "version"),
    [
        (no_bump, torch.ones(1), 3),
        (divides_floats, 1.0, 3),
        (divides, torch.tensor(3), 4),
        (forked_division, torch.tensor(3), 4),
        (fills, 2, 5),
        (spaced, 3, 8),
        (log_spaced, 3, 9),
        (activated, torch.ones(1), 10),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_the_version_is_the_lowest_with_the_meaning_of_the_operators(
    program: Any, argument: Any, version: int
) -> None:
    require_same(program, argument)
    found = records(saved(program))
    name = ".data/version" if version >= 6 else "version"
    assert found[name] == f"{version}\n".encode()


# ---- Classes of torch's own --------------------------------------------------------------------


def named_in_the_profiler(x: Tensor) -> Tensor:
    with torch.autograd.profiler.record_function("doubled"):
        y = x * 2
    return y + x


def test_classes_that_torch_defines_are_named_and_not_saved() -> None:
    loaded = require_same(named_in_the_profiler, torch.ones(2))
    content = saved(named_in_the_profiler)
    assert not any("classes" in name for name in code(content))
    again = minits.load(io.BytesIO(content))
    assert torch.equal(again(torch.ones(2)), loaded(torch.ones(2)))


def test_classes_that_torch_does_not_have_are_no_types() -> None:
    content = saved(named_in_the_profiler)
    found = {
        name: text.replace(b"_RecordFunction", b"_OtherFunction_")
        for name, text in records(content).items()
        if not name.endswith(".debug_pkl")
    }
    with pytest.raises(minits.ArchiveError, match="Unknown type name"):
        minits.load(packed(found))
