"""`python -m minits.patched PROGRAM ARGUMENTS...`: a program whose `torch.jit` is minits.

    python -m minits.patched train.py --epochs 3
    python -m minits.patched -m pytest tests

The program runs as its own `__main__`, with `minits.patch_torch_jit()` around all of it.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import minits

USAGE = "usage: python -m minits.patched PROGRAM | -m MODULE [ARGUMENTS...]"


def main(arguments: list[str]) -> None:
    """Run a program. Raises `SystemExit` with status 2 if none is named, and what it raises."""
    is_module = arguments[:1] == ["-m"]
    rest = arguments[1:] if is_module else arguments
    if not rest or (not is_module and rest[0].startswith("-")):
        print(USAGE, file=sys.stderr)
        raise SystemExit(2)
    name = rest[0]
    sys.argv[:] = rest
    if not is_module:
        sys.path[0] = str(Path(name).resolve().parent)
    with minits.patch_torch_jit():
        if is_module:
            runpy.run_module(name, run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(name, run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
