"""Libraries that register operators and C++ classes with torch, beside those that torch has.

    torchvision::nms    `import torchvision` registers it

An archive names its operators, not the libraries that have them. Of well-known ones the package is
known by the namespace, which is what stands before `::`.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence

import torch

_PACKAGES = {
    "detectron2": "detectron2",
    "fbgemm": "fbgemm_gpu",
    "image": "torchvision",
    "metatensor": "metatensor.torch",
    "metatomic": "metatomic.torch",
    "pyg": "pyg_lib",
    "torch_cluster": "torch_cluster",
    "torch_ipex": "intel_extension_for_pytorch",
    "torch_scatter": "torch_scatter",
    "torch_sparse": "torch_sparse",
    "torch_spline_conv": "torch_spline_conv",
    "torchao": "torchao",
    "torchaudio": "torchaudio",
    "torchtext": "torchtext",
    "torchvision": "torchvision",
    "video_reader": "torchvision",
    "xformers": "xformers",
}
"""By the namespace of operators, the package whose import registers them."""

_OF_TORCH = frozenset("aten prim quantized prepacked mkldnn mkl onednn sparse".split())


def registered_by(namespace: str) -> str | None:
    """Return how the operators and classes of a namespace are loaded; None for one of torch's."""
    if namespace in _OF_TORCH:
        return None
    package = _PACKAGES.get(namespace)
    if package is None:
        return (
            f"first import the package that registers `{namespace}`, or load its library: "
            "torch.ops.load_library('FILE.so'); at the command line give --import MODULE or "
            "--load-library FILE.so"
        )
    return f"first `import {package}`, which registers it; at the command line --import {package}"


class NotLoaded(Exception):
    """Raised for a module or a library that cannot be loaded; its text names it and the reason."""


def load_operators(modules: Sequence[str], libraries: Sequence[str]) -> None:
    """Import modules and load shared libraries, which register operators.

    Modules are looked for in the working folder, too. Raises `NotLoaded`.
    """
    if modules and os.getcwd() not in sys.path:  # noqa: PTH109
        sys.path.append(os.getcwd())  # noqa: PTH109
    for name in modules:
        try:
            importlib.import_module(name)
        except Exception as problem:  # whatever the module raises
            raise NotLoaded(f"--import {name}: {type(problem).__name__}: {problem}") from None
    for path in libraries:
        try:
            torch.ops.load_library(path)
        except (OSError, RuntimeError) as problem:
            raise NotLoaded(f"--load-library {path}: {problem}") from None
