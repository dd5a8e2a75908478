"""Calls of libraries: values, arguments, errors and their places."""

import inspect
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import minits
from minits.codegen.script_traceback import class_name_of, message_of
from minits.native.function import NativeFunction
from tests.support.native_libraries import compiled_with, library, output_of
from tests.support.needs import need_compiler

need_compiler()


# ---- Values ------------------------------------------------------------------------------------


def same(
    n: int, x: float, p: bool, s: str, o: int | None, t: tuple[int, tuple[str, float]],
    rows: list[list[int | None]], words: dict[str, list[tuple[int, str]]], q: list[str] | None,
) -> tuple[
    int, float, bool, str, int | None, tuple[int, tuple[str, float]],
    list[list[int | None]], dict[str, list[tuple[int, str]]], list[str] | None, None,
    tuple[int, tuple[str, bool]],
]:  # fmt: skip
    return n, x, p, s, o, t, rows, words, q, None, (1, ("é", True))


def test_values_go_in_and_come_out() -> None:
    values = (
        -(1 << 63), -0.0, True, "aé\0b", None, (1, ("", 2.5)), [[1, None], []],
        {"b": [(1, "x")], "a": [], "\udcff": []}, ["a"],
    )  # fmt: skip
    result = library(same).same(*values)
    assert repr(result) == repr((*values, None, (1, ("é", True))))
    other = library(same).same(1, float("inf"), False, "", 5, (0, ("b", 0.0)), [], {}, None)
    assert other[1] == float("inf")
    assert (other[4], other[8]) == (5, None)


def convert(n: int, x: float, p: bool, xs: list[float]) -> tuple[int, float, bool, list[float]]:
    return n, x, p, xs


def test_arguments_are_converted_as_by_torch() -> None:
    for values in ((True, 1, 2, [1, True]), (1, True, 0, (1.5,))):
        assert repr(library(convert).convert(*values)) == repr(minits.script(convert)(*values))


def address(n: int) -> str:
    return 'http://a/?b=\\n"c"??/\n//1' if n == 0 else "\x011é\t"


def test_constants_are_what_the_program_has() -> None:
    model, native = library(address), NativeFunction(minits.script(address).graph, "address")
    for n in (0, 1):
        assert model.address(n) == native(n) == address(n)


def put(xs: list[int], k: int = 7, word: str = "a,b") -> int:
    xs.append(k)
    return len(xs) * k + len(word)


def test_arguments_are_copies_and_may_be_left_out() -> None:
    own, model = [1, 2], library(put)
    assert [model.put(own), model.put(own, 3), model.put(own, word="")] == [24, 12, 21]
    assert model.put(word="xy", xs=own) == 23
    assert own == [1, 2]
    assert "put" in dir(model)
    assert repr(model.put) == '<native function put(int[] xs, int k=7, str word="a,b") -> int>'


@pytest.mark.parametrize(
    ("args", "kwargs", "said"),
    [
        ((), {}, "put() is missing value for argument 'xs'"),
        ((), {"k": 1}, "put() is missing value for argument 'xs'"),
        (([1], 2, "", 4), {}, "put() is given too many arguments"),
        (([1], 2), {"k": 4}, "put() takes no argument 'k'"),
        (([1], "2"), {}, "put() was given no fitting value for argument 'k' but one of kind str"),
        (([1.5],), {}, "put() was given no fitting value for argument 'xs' but one of kind list"),
        ((None,), {}, "put() was given no fitting value for argument 'xs' but one of kind None"),
        ((([1], 2.5)), {}, "argument 'k' but one of kind float"),
    ],
)
def test_other_arguments_are_refused(args: Any, kwargs: Any, said: str) -> None:
    with pytest.raises(TypeError) as caught:
        library(put).put(*args, **kwargs)
    assert said in str(caught.value)


def test_what_has_no_value_in_c_is_refused() -> None:
    with pytest.raises(OverflowError):
        library(put).put([1 << 63])
    with pytest.raises(TypeError, match="no range"):
        library(put).put([range(2)])
    with pytest.raises(AttributeError, match="no function 'get'"):
        library(put).get


# ---- Errors ------------------------------------------------------------------------------------


def divided(n: int, word: str) -> int:
    if n == 3:
        raise ValueError(word + f" {n} of {2.5}")
    assert n != 4, "four " + word
    assert n != 5
    if n == 6:
        raise RuntimeError("{brace} %d")
    counts = {word + "c": 1}
    xs = [1, 2]
    if n == 7:
        return counts[word]
    if n == 8:
        return word.index("z")
    if n == 9:
        a, b, c = xs
        return a + b + c
    if n == 10:
        return ord(word)
    if n == 11:
        return word.rfind("a", 7, 9)
    if n == 12:
        return xs.index(len(word) + 5)
    if n == 13:
        return len(word.center(5, word))
    if n == 14:
        return xs.pop(len(word) + 9)
    if n == 15:
        xs.clear()
        return xs.pop(n)
    if n == 16:
        return len(word[0 : 2 : len(word) - 2])
    if n == 17:
        raise ValueError(f"no {xs} or {(n, None)}" + ": %s, %f" % ({word: xs}, 0.5))  # noqa: UP031
    if n == 18:
        raise ValueError("no " + word.format(xs))
    return 10 // n + xs[n]


@pytest.mark.one_in(10)
@pytest.mark.parametrize("n", [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])
def test_errors_are_those_of_the_program(n: int) -> None:
    found, expected = failure(library(divided).divided, n), failure(minits.script(divided), n)
    assert found == expected


def failure(function: Callable[..., Any], n: int) -> tuple[str, str, int]:
    with pytest.raises(RuntimeError) as caught:
        function(n, "ba")
    error = caught.value
    lines = [
        frame.lineno or 0
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).name == Path(__file__).name and frame.name == "divided"
    ]
    return class_name_of(error), message_of(error), lines[-1]


def test_a_message_that_c_cannot_make_is_told_in_part() -> None:
    assert failure(library(divided).divided, 18)[:2] == ("ValueError", "no {}")


FAILING = """
#include "model.h"
#include <stdio.h>
int main(void)
{
    mts_model *model;
    mts_error error;
    mts_any result, values[] = {mts_from_int(3), mts_from_str("ba")};
    if (model_create(0, &model, &error)) return 1;
    for (int64_t n = 0; n < 16; n++) {
        values[0] = mts_from_int(n);
        if (!model_call(model, "divided", values, 2, &result, &error)) continue;
        printf("%s at %s:%d: %s\\n", error.type, error.file, error.line, error.source);
        model_clear_error(&error);
    }
    model_destroy(model);
    return 0;
}
"""


def test_errors_have_their_place(tmp_path: Path) -> None:
    told = output_of(compiled_with(divided, FAILING, tmp_path, "-fsanitize=address,undefined"))
    lines, first = inspect.getsourcelines(divided)
    number = next(i for i, line in enumerate(lines) if "counts[word]" in line)
    place = f"KeyError at test_native_calls.py:{first + number}: return counts[word]"
    assert place in told.splitlines()
