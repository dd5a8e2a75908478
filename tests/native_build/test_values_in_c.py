"""The header as a C program meets it: kinds of values, warnings of compilers, lack of memory."""

import subprocess
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor, nn

from minits.cli.main import main
from tests.support.native_libraries import compiled_with, output_of, write
from tests.support.needs import need_compiler

need_compiler()
EXAMPLES = Path(__file__).parents[2] / "examples"
CHECKS = "-fsanitize=address,undefined"
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


class Point(NamedTuple):
    x: int
    y: float | None


class Colour(Enum):
    RED = "r"
    BLUE = "b"


def values(
    p: Point, z: complex, n: int | float | complex, d: torch.device, c: Colour,
    by: dict[str, list[Point]], o: complex | None = 2j, where: torch.device | None = None,
) -> tuple[
    dict[str, list[Point]], list[complex], int | float | complex,
    tuple[torch.device, torch.device | None], list[Colour], Point,
]:  # fmt: skip
    if p.x < 0:
        raise ValueError(f"{p.x} is below 0")
    by["more"] = [p, Point(p.x + 1, None)]
    zs = [z]
    if o is not None:
        zs.append(z * o)
    return by, zs, n, (d, where), [c, Colour.BLUE], p


MAIN = """
#include "model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long left = -1;
void *__real_malloc(size_t), *__real_realloc(void *, size_t);
void *__wrap_malloc(size_t size) { return left && left-- ? __real_malloc(size) : 0; }
void *__wrap_realloc(void *old, size_t size)
{
    return left && left-- ? __real_realloc(old, size) : 0;
}

static void show(const mts_any *any)
{
    int64_t items = any->kind == MTS_DICT ? 2 * any->length : any->length;
    switch (any->kind) {
    case MTS_NONE: printf("None"); break;
    case MTS_BOOL: printf(any->as.boolean ? "True" : "False"); break;
    case MTS_INT: printf("%lld", (long long)any->as.integer); break;
    case MTS_FLOAT: printf("%g", any->as.real); break;
    case MTS_COMPLEX: printf("%g%+gi", any->as.real, any->imaginary); break;
    case MTS_STR: printf("'%s'", any->as.text); break;
    case MTS_DEVICE: printf("<%s>", any->as.text); break;
    case MTS_ENUM: printf("%s.%s", any->type->name, any->as.text); break;
    case MTS_LIST: case MTS_TUPLE: case MTS_DICT:
        printf("%s(", any->kind == MTS_TUPLE && any->type ? any->type->name : "");
        for (int64_t i = 0; i < items; i++) {
            if (any->kind == MTS_TUPLE && any->type) printf("%s=", any->type->names[i]);
            show(&any->as.items[i]);
            printf(i + 1 < items ? ", " : "");
        }
        printf(")");
        break;
    default: printf("?");
    }
}

static int call(mts_model *model, mts_any *given, int64_t count)
{
    mts_any result;
    mts_error error;
    if (model_call(model, "values", given, count, &result, &error)) {
        printf("%s: %s\\n", error.type, error.message);
        model_clear_error(&error);
        model_clear_error(&error);
        return result.kind != MTS_NONE;
    }
    show(&result);
    printf("\\n");
    mts_any again[8];
    memcpy(again, given, sizeof again);
    again[0] = result.as.items[5];  // items of a result as arguments
    again[2] = result.as.items[2];
    again[3] = result.as.items[3].as.items[0];
    again[4] = result.as.items[4].as.items[1];
    again[5] = result.as.items[0];
    mts_any other;
    if (model_call(model, "values", again, 6, &other, &error)) return 1;
    model_clear(&result);
    model_clear(&result);
    show(&other);
    printf("\\n");
    model_clear(&other);
    return 0;
}

// each allocation fails once
static int starve(mts_any *given)
{
    int lacks = 0;
    for (long most = 0;; most++) {
        mts_model *model;
        mts_error error;
        mts_any result = mts_from_int(1);
        left = most;
        int fault = model_create(0, &model, &error);
        if (fault && model) return -1;
        if (!fault) fault = model_call(model, "values", given, 8, &result, &error);
        left = -1;
        if (fault && (strcmp(error.type, "MemoryError") || error.message)) return -2;
        if (fault && model && result.kind != MTS_NONE) return -3;
        lacks += fault;
        if (fault) model_clear_error(&error);
        model_clear(&result);
        model_destroy(model);
        if (!fault) return lacks;
    }
}

int main(void)
{
    for (const mts_class *type = model_classes(); type->name; type++) {
        printf("%s:", type->declaration);
        for (int64_t i = 0; i < type->length; i++) {
            printf(" %s", type->names[i]);
            if (type->values) printf("=%s", type->values[i].as.text);
        }
        printf("%s\\n", type->names[type->length] ? "no end" : "");
    }
    mts_model *model;
    mts_error error;
    if (model_create(0, &model, &error)) return 1;
    mts_any point[] = {mts_from_int(3), mts_from_float(0.5)};
    mts_any points[] = {mts_from_items(MTS_TUPLE, 2, point)};
    mts_any by[] = {mts_from_bytes("a and b", 1), mts_from_items(MTS_LIST, 1, points)};
    mts_any given[] = {
        points[0], mts_from_complex(1, -2), mts_from_complex(0, 1), mts_from_device("cuda:1"),
        mts_from_member("RED"), mts_from_items(MTS_DICT, 1, by), mts_left_out(),
        mts_from_str("cpu")};
    if (call(model, given, 8)) return 2;
    given[2] = mts_from_bool(true);
    given[6] = mts_none();
    if (call(model, given, 7)) return 3;
    point[0] = mts_from_int(-3);
    if (call(model, given, 7)) return 4;
    point[0] = mts_from_float(3);
    if (call(model, given, 7)) return 5;
    point[0] = mts_from_int(3);
    given[4] = mts_from_member("REDS");
    if (call(model, given, 7)) return 6;
    given[4] = mts_from_member("RED");
    given[3] = mts_from_device("cuda:1x");
    if (call(model, given, 7)) return 7;
    given[3].kind = (mts_kind)99;
    if (call(model, given, 7)) return 8;
    given[3] = mts_from_device("cpu");
    model_destroy(model);
    model_destroy(0);
    printf("%s\\n", starve(given) > 30 ? "starved" : "not starved");
    return 0;
}
"""
SHOWN = """\
Point(int x, float? y): x y
Colour(str RED="r", str BLUE="b"): RED=r BLUE=b
(('a', (Point(x=3, y=0.5)), 'more', (Point(x=3, y=0.5), Point(x=4, y=None))), (1-2i, 4+2i), 0+1i, \
(<cuda:1>, <cpu>), (Colour.RED, Colour.BLUE), Point(x=3, y=0.5))
(('a', (Point(x=3, y=0.5)), 'more', (Point(x=3, y=0.5), Point(x=4, y=None))), (1-2i, 4+2i), 0+1i, \
(<cuda:1>, None), (Colour.BLUE, Colour.BLUE), Point(x=3, y=0.5))
(('a', (Point(x=3, y=0.5)), 'more', (Point(x=3, y=0.5), Point(x=4, y=None))), (1-2i), True, \
(<cuda:1>, None), (Colour.RED, Colour.BLUE), Point(x=3, y=0.5))
(('a', (Point(x=3, y=0.5)), 'more', (Point(x=3, y=0.5), Point(x=4, y=None))), (1-2i, 4+2i), True, \
(<cuda:1>, None), (Colour.BLUE, Colour.BLUE), Point(x=3, y=0.5))
ValueError: -3 is below 0
TypeError: values() was given no fitting value for argument 'p' but one of kind tuple.
TypeError: values() was given no fitting value for argument 'c' but the name of no member of \
the enum.
TypeError: values() was given no fitting value for argument 'd' but the name of no device.
TypeError: values() was given no fitting value for argument 'd' but one of kind a value of an \
unknown kind.
starved
"""


def test_a_c_program_gives_and_takes_all_kinds(tmp_path: Path) -> None:
    """Nothing is lost, and nothing is used that was freed, whatever allocation fails."""
    flags = [CHECKS, "-Wall", "-Wl,--wrap=malloc", "-Wl,--wrap=realloc"]
    told = output_of(compiled_with(values, MAIN, tmp_path, *flags))
    lines = [line.partition(" Declaration:")[0] for line in told.splitlines()]
    assert lines == SHOWN.splitlines()


# ---- Warnings of compilers ---------------------------------------------------------------------


def of_tensors(x: Tensor, p: Point, d: torch.device) -> dict[str, Tensor]:
    return {"x": x.to(d) * p.x}


class Keeper(nn.Module):
    z: complex
    points: list[Point]

    def __init__(self) -> None:
        super().__init__()
        self.z = 1j
        self.points = [Point(1, None)]
        self.weight = nn.Parameter(torch.ones(2))

    def forward(self, x: Tensor, n: int) -> tuple[Tensor, complex]:
        self.z = self.z * n
        self.points.append(Point(n, 0.5))
        return x + self.weight, self.z

    @torch.jit.export
    def nothing(self) -> None:
        print(self.points[0].x)


INCLUDING = """
#include "model.h"
int main(void)
{
    mts_any any = mts_from_complex(1, 2);
    return any.imaginary != 2 || model_classes() == 0;
}
"""


def computed(x: Tensor, y: Tensor) -> tuple[bool, float]:
    return x.item() < y.item(), float(x.item() * y.item())


def check_warnings(folder: Path) -> None:
    """Compile a library, and the header as C and as C++, with all warnings as errors."""
    (folder / "including.c").write_text(INCLUDING)
    has_torch = "aoti_torch_" in (folder / "model.c").read_text()
    output_of("gcc", *STRICT, "-c", folder / "model.c", "-o", folder / "model.o")
    output_of("gcc", *STRICT, "-Wconversion", "-c", folder / "including.c", "-o", folder / "c.o")
    if not has_torch:
        output_of("gcc", folder / "model.o", folder / "c.o", "-lm", "-lpthread", "-o", folder / "a")
        output_of(folder / "a")
    if subprocess.run(["g++", "--version"], capture_output=True, check=False).returncode:
        return
    strict = ["-std=c++11", *STRICT[1:], "-Wconversion", "-Wold-style-cast"]
    output_of("g++", "-x", "c++", *strict, "-c", folder / "including.c", "-o", folder / "cpp.o")
    if not has_torch:
        output_of("g++", folder / "model.o", folder / "cpp.o", "-o", folder / "b")
        output_of(folder / "b")


def nothing() -> None:
    pass


def first(x: int | float, unused: dict[str, int]) -> int | float:
    return x


@pytest.mark.parametrize("program", [values, nothing, first])
def test_compilers_have_no_warnings(program: Callable[..., Any], tmp_path: Path) -> None:
    write(program, tmp_path)
    check_warnings(tmp_path)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "example", ["native/counting.py", "native/voice.py:detector", "functions.py"]
)
def test_compilers_have_no_warnings_of_examples(example: str, tmp_path: Path) -> None:
    build = ["build", str(EXAMPLES / example), "-o", str(tmp_path), "--no-compile"]
    assert main(build) == 0
    check_warnings(tmp_path)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("program", [of_tensors, computed, Keeper()])
def test_compilers_have_no_warnings_of_tensors(program: Any, tmp_path: Path) -> None:
    write(program, tmp_path)
    check_warnings(tmp_path)
