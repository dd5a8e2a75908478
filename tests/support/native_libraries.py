"""Libraries of programs, and C programs that call them."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

import minits
from minits.native_build.building import build_model, write_library
from minits.native_build.loading import NativeModel
from minits.native_build.programs import exported


def library(program: Any) -> NativeModel:
    """Return the library of a function, a module, or what minits has compiled of these."""
    name = getattr(program, "__name__", "f")
    compiled = program if hasattr(program, "graph_after") else minits.script(program)
    return build_model([*exported(compiled, name)])


def write(program: Any, folder: Path, line_directives: bool = False) -> None:
    """Write the sources of the library of a program into a folder."""
    name = getattr(program, "__name__", "f")
    write_library([*exported(minits.script(program), name)], folder, "model", line_directives)


def compiled_with(
    program: Any, main: str, folder: Path, *flags: str, line_directives: bool = False
) -> Path:
    """Return a C program of `main` and the library of a program. Skips where flags are unknown."""
    write(program, folder, line_directives)
    (folder / "main.c").write_text(main)
    command = [
        "gcc",
        "-g",
        "-fwrapv",
        *flags,
        "main.c",
        "model.c",
        "-o",
        "main",
        "-lm",
        "-lpthread",
    ]
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if "sanitize" in made.stderr or "asan" in made.stderr or "tsan" in made.stderr:
        pytest.skip("this compiler has no sanitizers")
    assert made.returncode == 0, made.stderr
    assert made.stderr == ""
    return folder / "main"


def output_of(*command: Any) -> str:
    """Return what a command prints, once it has ended well and complained of nothing."""
    ran = subprocess.run([*map(str, command)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    return ran.stdout
