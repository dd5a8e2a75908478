"""The Makefile and the CMakeLists.txt of a library, and the flags that it is built with."""

from __future__ import annotations

from minits.torch_internals import library_folder

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
_TORCH_ELSEWHERE = "where libtorch_cpu.so lies elsewhere, `make TORCH=FOLDER` does"
_CMAKE = """\
# The library `MODEL`: add_subdirectory() this folder, and target_link_libraries(... MODEL).
cmake_minimum_required(VERSION 3.18)
project(MODEL C)
add_library(MODEL SHARED MODEL.c)
set_target_properties(MODEL PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_options(MODEL PRIVATE BUILD_FLAGS)
target_include_directories(MODEL PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(MODEL PRIVATE m pthread)
"""
_FINDING_TORCH = """\
# cmake -DCMAKE_PREFIX_PATH="$(python -c 'import torch; print(torch.utils.cmake_prefix_path)')"
find_library(TORCH_CPU torch_cpu PATH_SUFFIXES lib ../../lib REQUIRED)
"""


def needs_torch(text: str) -> bool:
    """Return whether a library's C calls functions of torch."""
    return "aoti_torch_" in text


def make_files(name: str, has_torch: bool) -> dict[str, str]:
    """Return the texts of both files, by their names."""
    makefile, cmake = _MAKEFILE, _CMAKE
    if has_torch:
        folder = library_folder()
        makefile = makefile.replace("\n\n", f"\nTORCH = {folder}\n\n", 1)
        makefile = makefile.replace(".so. ", f".so; {_TORCH_ELSEWHERE}. ", 1)
        makefile = makefile.replace("-Wl,", "-L$(TORCH) -ltorch_cpu -Wl,-rpath,$(TORCH),")
        cmake = cmake.replace("add_library", f"{_FINDING_TORCH}add_library", 1)
        cmake = cmake.replace(" m pthread", " m pthread ${TORCH_CPU}")
    return {
        "Makefile": _filled(makefile, name),
        "CMakeLists.txt": _filled(cmake, name),
    }


def link_flags(has_torch: bool) -> list[str]:
    """Return the flags for the libraries of which a library calls functions."""
    own = ["-Wl,--as-needed", "-lm", "-lpthread"]
    folder = library_folder()
    return [f"-L{folder}", "-ltorch_cpu", f"-Wl,-rpath,{folder}", *own] if has_torch else own


def _filled(text: str, name: str) -> str:
    return text.replace("MODEL", name).replace("BUILD_FLAGS", BUILD_FLAGS)
