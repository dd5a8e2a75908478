"""Attributes of modules in libraries: kept between calls, of each model its own, and threads."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import minits
from minits.cli.main import main
from minits.codegen.script_traceback import class_name_of, message_of
from minits.native.c_types import NotNative
from tests.support.native_libraries import compiled_with, library, output_of
from tests.support.needs import need_compiler

need_compiler()


# ---- Attributes --------------------------------------------------------------------------------


class Part(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = 3
        self.seen: list[int] = [1]
        self.words: dict[str, list[int]] = {"a": [1]}
        self.names: list[str] = ["x"]

    def forward(self, n: int) -> int:
        self.seen.append(n)
        return n * self.scale


class Counter(nn.Module):
    last: str | None
    most: int | None

    def __init__(self) -> None:
        super().__init__()
        self.part = Part()
        self.total = 0
        self.last = None
        self.most = None
        self.bias = 0.5

    def forward(self, n: int, word: str = "w") -> tuple[int, float, bool]:
        self.total += self.part(n)
        self.last = word + "!"
        most = self.most
        if most is None or n > most:
            self.most = n
        self.part.names.append(word + str(n))
        if word in self.part.words:
            self.part.words[word].append(10 // n)
        else:
            self.part.words[word] = [n, n]
        return self.total, self.bias, self.training

    @torch.jit.export
    def history(
        self,
    ) -> tuple[list[int], str | None, int | None, dict[str, list[int]], list[str]]:
        return self.part.seen, self.last, self.most, self.part.words, self.part.names


CALLS = [(3, "w"), (4, "a"), (0, "w"), (5, "w"), (-1, "b"), (0, "a"), (2, "a")]


def outcome(function: Callable[..., Any], *values: Any) -> Any:
    try:
        return function(*values)
    except RuntimeError as error:
        return class_name_of(error), message_of(error)


def test_attributes_are_kept_between_calls() -> None:
    script = minits.script(Counter())
    model = library(script)
    for values in CALLS:
        assert outcome(model.forward, *values) == outcome(script, *values)
        assert model.history() == script.history()


def test_two_models_have_attributes_of_their_own() -> None:
    script = minits.script(Counter())
    one, other = library(script), library(script)
    assert (one(1), one(1), other(2)) == ((3, 0.5, True), (6, 0.5, True), (6, 0.5, True))


def test_an_archive_becomes_a_library(tmp_path: Path) -> None:
    torch.jit.script(Counter().eval()).save(str(tmp_path / "counter.pt"))
    folder = tmp_path / "build"
    assert main(["build", str(tmp_path / "counter.pt"), "-o", str(folder)]) == 0
    model = minits.load_native(folder)
    assert model(2, "b") == (6, 0.5, False)
    assert model.history()[1:3] == ("b!", 2)


MODULE_MAIN = """
#include "model.h"
#include <stdio.h>
int main(void)
{
    mts_model *model;
    mts_error error;
    mts_any result, values[2];
    if (model_create(0, &model, &error)) return 1;
    for (int64_t n = 0; n < 300; n++) {
        values[0] = mts_from_int(n % 7 - 2);
        values[1] = mts_from_str(n % 3 ? "a" : n % 5 ? "bb" : "w");
        if (model_call(model, "forward", values, 2, &result, &error)) model_clear_error(&error);
        else model_clear(&result);
    }
    if (model_call(model, "history", 0, 0, &result, &error)) return 2;
    printf("%d %s", (int)result.as.items[0].length, result.as.items[1].as.text);
    model_clear(&result);
    model_destroy(model);
    return 0;
}
"""


def test_attributes_under_sanitizers(tmp_path: Path) -> None:
    checks = "-fsanitize=address,undefined"
    assert output_of(compiled_with(Counter(), MODULE_MAIN, tmp_path, checks)) == "301 a!"


class Twice(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.xs = [1]
        self.ys = [2]

    def forward(self, n: int) -> int:
        self.ys = self.xs
        self.xs.append(n)
        return len(self.ys)


def test_attributes_that_are_one_list_stay_so() -> None:
    script = minits.script(Twice())
    assert library(script)(1) == script(1) == 2
    native = library(script)
    assert [native(2), native(3)] == [script(2), script(3)] == [3, 4]


class Tensors(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.xs = [torch.zeros(1)]

    def forward(self, x: Tensor) -> int:
        self.xs.append(x)
        return len(self.xs)


def test_what_a_library_does_not_have_is_refused_with_a_cure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(NotNative, match="the attribute xs is not native") as caught:
        library(Tensors())
    assert "let each tensor be an attribute of its own" in str(caught.value.cure)
    (tmp_path / "program.py").write_text("from typing import Any\n\ndef f(x: Any):\n    return x\n")
    assert main(["build", f"{tmp_path / 'program.py'}:f", "-o", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert "Any is not native: the program cannot be a library in C" in told
    assert "help: let parameters, results and attributes be numbers, strs" in told


# ---- Threads and memory ------------------------------------------------------------------------


class Table(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rows = [[1, 2], [3]]
        self.names = {"b": 2, "c": 3}

    def forward(self, word: str, n: int) -> int:
        total = self.names[word]
        for i in range(n):
            for row in self.rows:
                for x in row:
                    total += x * i
        return total


THREADS = """
#include "model.h"
#include <pthread.h>
#include <stdio.h>
static mts_model *model;
static void *work(void *given)
{
    mts_error error;
    mts_any result, values[] = {mts_from_str("b"), mts_from_int(50)};
    for (int i = 0; i < 200; i++) {
        values[0] = mts_from_str(i % 5 ? "b" : "none");
        if (model_call(model, "forward", values, 2, &result, &error)) model_clear_error(&error);
        else if (CHECK) *(int *)given = 1;
        model_clear(&result);
    }
    return 0;
}
int main(void)
{
    pthread_t threads[4];
    int faults[4] = {0};
    mts_error error;
    if (model_create(0, &model, &error)) return 1;
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, &faults[i]);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    printf("%d", faults[0] + faults[1] + faults[2] + faults[3]);
    model_destroy(model);
    return 0;
}
"""


def test_threads_call_one_model_at_once(tmp_path: Path) -> None:
    """The thread sanitizer finds no two threads at one memory."""
    text = THREADS.replace("CHECK", f"result.as.integer != {Table()('b', 50)}")
    program = compiled_with(Table(), text, tmp_path, "-fsanitize=thread")
    assert output_of(program) == "0"
    assert "pthread_mutex_lock(&model->turn)" not in (tmp_path / "model.c").read_text()


class Sum(nn.Module):
    words: list[str]

    def __init__(self) -> None:
        super().__init__()
        self.total = 0
        self.words = []

    def forward(self, word: str, n: int) -> int:
        self.total += n
        if len(self.words) > 9:
            self.words.clear()
        self.words.append(word + "x")
        if word == "none":
            return self.total // 0
        return self.total % n


def test_threads_that_set_attributes_take_turns(tmp_path: Path) -> None:
    text = THREADS.replace("CHECK", "result.as.integer != 0")
    assert output_of(compiled_with(Sum(), text, tmp_path, "-fsanitize=thread")) == "0"


def test_threads_of_python_call_one_model() -> None:
    model = minits.script(Sum())
    native, results = library(model), []

    def work() -> None:
        for _ in range(100):
            native("a", 3)
        results.append(True)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert native("a", 1 << 40) == 4 * 100 * 3


class Empty(nn.Module):
    pass


def test_a_module_without_methods_is_refused() -> None:
    with pytest.raises(TypeError, match="no method"):
        library(Empty())
