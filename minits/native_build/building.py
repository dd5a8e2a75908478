"""The folder of a library: its C, its header, what builds it, and the library itself."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from minits.kernels.cpu.c_build import build
from minits.kernels.cpu.c_compiler import FLAGS, NoCompiler, find_compiler
from minits.native import torch_interface
from minits.native_build.left_out import made_of_native
from minits.native_build.loading import NativeModel
from minits.native_build.make_files import BUILD_FLAGS, link_flags, make_files, needs_torch
from minits.native_build.model_text import header_text, model_text
from minits.native_build.programs import Exported, ignore
from minits.native_build.state import State, state_of


def write_library(
    programs: Sequence[Exported],
    folder: Path,
    name: str = "model",
    line_directives: bool = False,
    embeds_weights: bool = False,
    tell: Callable[[str], None] = ignore,
) -> list[Path]:
    """Write the sources of a library of functions into a folder, and return their paths.

    `tell` is told which methods are left out. Raises `NotNative` where a function cannot be C, and
    `OSError`.
    """

    def made(kept: Sequence[Exported]) -> tuple[State, str]:
        state = state_of(kept)
        return state, model_text(state, name, line_directives, embeds_weights)

    state, text = made_of_native(programs, made, tell)
    texts = {
        f"{name}.c": text,
        f"{name}.h": header_text(name, text),
        **make_files(name, needs_torch(text)),
    }
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for file, text in texts.items():
        path = folder / file
        path.write_text(text, encoding="utf-8", errors="backslashreplace")  # names of files
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
    has_torch = needs_torch((folder / f"{name}.c").read_text(encoding="utf-8"))
    flags = [*BUILD_FLAGS.split(), "-shared", f"{name}.c", "-o", library.name]
    command = [*driver, *flags, *link_flags(has_torch)]
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if made.returncode:
        raise NoCompiler(f"{driver[0]} does not build {name}.c: {made.stderr.strip()}")
    return library


def build_model(programs: Sequence[Exported], tell: Callable[[str], None] = ignore) -> NativeModel:
    """Return a library of functions, built in the user's cache.

    `tell` is told which methods are left out. Raises `NotNative` where a function cannot be C, and
    `NoCompiler`.
    """
    text = made_of_native(
        programs, lambda kept: model_text(state_of(kept), "model", embeds_weights=True), tell
    )
    library = torch_interface.library() if needs_torch(text) else None
    links = torch_interface.link_flags(library) if library else []
    text = text.replace('#include "model.h"', header_text("model", text))
    return NativeModel(build(text, links=[*links, *link_flags(has_torch=False)]), "model")
