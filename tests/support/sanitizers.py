"""Programs as C under gcc's sanitizers, as programs of their own."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import minits
from minits.native.function import NativeFunction

MAIN = """
#include <stdio.h>
int main(void)
{
    for (int n = 0; n < 60; n++) {
        mts_list *pool[2] = {0, 0};
        mts_value out[16];
        int32_t site = {name}(n, {given}pool, {further}out);
        int lists = 0;
        for (mts_list *list = *pool; list; list = list->next) lists++;
        {name}_end(pool);
        printf("%d %d %ld\\n", (int)site, lists, (long)out[0].i);
    }
}
"""


def sanitized(
    function: Callable[..., Any],
    folder: Path,
    given: str = "",
    further: str = "",
    functions: str = "",
) -> list[tuple[int, int]]:
    """Return how many lists a call of `function(n)` left to its end, and its result, for n < 60.

    given: the C text of more arguments, each before a comma
    further: that of arguments behind the pool
    functions: C text of functions that these are

    The process has ended as it should, and the sanitizers found nothing. Skips the test without
    sanitizers.
    """
    name = function.__name__
    native = NativeFunction(minits.script(function).graph_after(["optimize"]), name)
    source, program = folder / "program.c", folder / "program"
    main = MAIN.replace("{name}", name).replace("{given}", given).replace("{further}", further)
    source.write_text(native.text + functions + main)
    checks = "-fsanitize=address,undefined"
    command = ["gcc", "-g", "-fwrapv", checks, str(source), "-o", str(program), "-lm"]
    made = subprocess.run(command, capture_output=True, text=True)
    if "-fsanitize" in made.stderr or "-lasan" in made.stderr or "libasan" in made.stderr:
        pytest.skip("this compiler has no sanitizers")
    assert made.returncode == 0, made.stderr
    ran = subprocess.run([str(program)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    rows = [line.split() for line in ran.stdout.splitlines()]
    return [(int(lists), int(result)) for _, lists, result in rows]
