"""The folder of a library: its C, its header, what builds it, and the library itself."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from minits.kernels.cpu.c_build import build
from minits.kernels.cpu.c_compiler import FLAGS, NoCompiler, find_compiler
from minits.native_build.loading import NativeModel
from minits.native_build.model_text import header_text, model_text
from minits.native_build.programs import Exported
from minits.native_build.state import state_of

BUILD_FLAGS = "-O2 -fPIC -fwrapv -ffp-contract=off"
"""Integers wrap around, and no product is rounded together with a sum: results are bit for bit
those of the other back ends."""
_MAKEFILE = """\
# `make` builds libMODEL.so. Integers wrap around, and products are rounded before sums.
CFLAGS = BUILD_FLAGS

libMODEL.so: MODEL.c MODEL.h
	$(CC) $(CFLAGS) -shared MODEL.c -o $@ -Wl,--as-needed -lm -lpthread

.PHONY: clean
clean:
	rm -f libMODEL.so
"""
_CMAKE = """\
# The library `MODEL`: add_subdirectory() this folder, and target_link_libraries(... MODEL).
cmake_minimum_required(VERSION 3.10)
project(MODEL C)
add_library(MODEL SHARED MODEL.c)
set_target_properties(MODEL PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_options(MODEL PRIVATE BUILD_FLAGS)
target_include_directories(MODEL PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(MODEL PRIVATE m pthread)
"""


def write_library(
    programs: Sequence[Exported],
    folder: Path,
    name: str = "model",
    line_directives: bool = False,
    embeds_weights: bool = False,
) -> list[Path]:
    """Write the sources of a library of functions into a folder, and return their paths.

    Raises `NotNative` where a function cannot be C, and `OSError`.
    """
    state = state_of(programs)
    texts = {
        f"{name}.c": model_text(state, name, line_directives, embeds_weights),
        f"{name}.h": header_text(name),
        "Makefile": _filled(_MAKEFILE, name),
        "CMakeLists.txt": _filled(_CMAKE, name),
    }
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for file, text in texts.items():
        path = folder / file
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    if state.weights and not embeds_weights:
        paths.append(folder / f"{name}.safetensors")
        paths[-1].write_bytes(state.weights_file().content())
    return paths


def build_library(folder: Path, name: str = "model") -> Path:
    """Build the library of a folder, and return its path. Raises `NoCompiler`."""
    compiler = find_compiler()
    driver = compiler.command[: compiler.command.index(FLAGS[0])]
    library = folder / f"lib{name}.so"
    flags = [*BUILD_FLAGS.split(), "-shared", f"{name}.c", "-o", library.name]
    command = [*driver, *flags, "-Wl,--as-needed", "-lm", "-lpthread"]
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if made.returncode:
        raise NoCompiler(f"{driver[0]} does not build {name}.c: {made.stderr.strip()}")
    return library


def _filled(text: str, name: str) -> str:
    return text.replace("MODEL", name).replace("BUILD_FLAGS", BUILD_FLAGS)


def build_model(programs: Sequence[Exported]) -> NativeModel:
    """Return a library of functions, built in the user's cache.

    Raises `NotNative` where one cannot be C, and `NoCompiler`.
    """
    text = model_text(state_of(programs), "model", embeds_weights=True).replace(
        '#include "model.h"', header_text("model")
    )
    return NativeModel(build(text), "model")
