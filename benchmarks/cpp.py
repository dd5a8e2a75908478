"""C++ that is built against torch's headers, which minits itself does not need."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path

import torch


def build(source: Path, target: Path, *flags: str) -> None:
    """Build a program, or with `-shared` a library, which takes half a minute.

    Raises `subprocess.CalledProcessError`.
    """
    root = Path(torch.__file__).parent
    compiler = os.environ.get("CXX") or (sysconfig.get_config_var("CXX") or "c++").split()[0]
    includes = [f"-I{root / 'include'}", f"-I{root / 'include/torch/csrc/api/include'}"]
    links = [f"-L{root / 'lib'}", "-ltorch", "-ltorch_cpu", "-lc10", "-ldl"]
    paths = ["-Wl,--no-as-needed", f"-Wl,-rpath,{root / 'lib'}"]
    command = [compiler, "-O2", "-std=c++20", *flags, *includes, str(source), *paths, *links]
    subprocess.run([*command, "-o", str(target)], check=True)
