"""What programs print and warn of, in libraries: the streams of the C program."""

import subprocess
import warnings
from pathlib import Path

import minits
from tests.support.native_libraries import compiled_with, library
from tests.support.needs import need_compiler

need_compiler()


def report(n: int, name: str) -> int:
    print("of", name, n, 0.5, n > 1)
    print()
    for i in range(n):
        warnings.warn("slow " + name, stacklevel=2)
        if i == 1:
            warnings.warn("slower")
    return n


MAIN = """
#include "model.h"
#include <stdio.h>
int main(void)
{
    mts_model *model;
    mts_error error;
    mts_any result, given[] = {mts_from_int(3), mts_from_str("é")};
    if (model_create(0, &model, &error)) return 1;
    printf("first ");
    if (model_call(model, "report", given, 2, &result, &error)) return 2;
    printf("last\\n");
    model_destroy(model);
    return 0;
}
"""


def test_lines_are_written_to_the_streams(tmp_path: Path) -> None:
    program = compiled_with(report, MAIN, tmp_path, "-Wall", "-fsanitize=address,undefined")
    ran = subprocess.run([str(program)], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "first of é 3 0.5 True\n\nlast\n")
    first = report.__code__.co_firstlineno
    place = "test_printing_in_libraries.py:{}: UserWarning: "
    assert ran.stderr.splitlines() == [
        place.format(first + 4) + "slow é", place.format(first + 6) + "slower"
    ]  # fmt: skip


def test_a_line_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    program = compiled_with(report, MAIN.replace("printf", "(void)"), tmp_path)
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run([str(program)], stdout=full, stderr=subprocess.DEVNULL)
    assert ran.returncode == 2


def fopen(print: int, write: int) -> int:
    return print + write


def test_a_function_may_have_the_name_of_one_of_the_c_library() -> None:
    assert library(fopen).fopen(1, 2) == minits.script(fopen)(1, 2) == 3
