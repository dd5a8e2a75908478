"""Instances of a class of modules: its arguments are guessed by their names and annotations."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn

_BY_NAME: dict[str, Any] = {
    "kernel_size": 3,
    "scale_factor": 2,
    "upscale_factor": 2,
    "downscale_factor": 2,
    "num_heads": 2,
    "nhead": 2,
    "num_layers": 2,
    "p": 0.5,
    "dropout": 0.5,
    "eps": 1e-5,
    "dim": 1,
    "groups": 2,
    "num_groups": 2,
    "lambd": 0.5,
    "min_val": -1.0,
    "max_val": 1.0,
    "lower": 0.1,
    "upper": 0.3,
    "threshold": 0.5,
    "value": 0.5,
    "output_size": 3,
    "cutoffs": [2],
    "unflattened_size": (2, 2),
    "normalized_shape": 4,
    "size": 4,
    "stride": 1,
    "padding": 1,
    "act_layer": nn.ReLU,
    "norm_layer": nn.BatchNorm2d,
    "activation": "relu",
    "module": nn.Linear(4, 4),
    "encoder_layer": nn.TransformerEncoderLayer(4, 2, 8),
    "decoder_layer": nn.TransformerDecoderLayer(4, 2, 8),
}
_BY_TYPE: dict[Any, Any] = {
    int: 4,
    float: 0.5,
    bool: False,
    str: "mean",
    torch.Tensor: torch.ones(4),
    torch.dtype: torch.float32,
    nn.Module: nn.Linear(4, 4),
}


def instance(cls: type[nn.Module]) -> nn.Module:
    """Return an instance, by the first arguments that its constructor takes. Raises what it raises
    for the last ones.
    """
    *others, last = _guesses(cls)
    for arguments in others:
        try:
            return cls(**arguments)
        except Exception:  # whatever the class thinks of them
            continue
    return cls(**last)


def _guesses(cls: type[nn.Module]) -> Iterator[dict[str, Any]]:
    needed = [
        parameter
        for parameter in inspect.signature(cls).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    yield {each.name: _guess(each) for each in needed}
    for value in (4, [4, 4], 0.5, nn.Linear(4, 4), nn.ReLU) if needed else ():
        yield {each.name: value for each in needed}


def _guess(parameter: inspect.Parameter) -> Any:
    if parameter.name in _BY_NAME:
        return _BY_NAME[parameter.name]
    annotation = parameter.annotation
    if isinstance(annotation, str):
        annotation = {"int": int, "float": float, "bool": bool, "str": str}.get(annotation, int)
    if typing.get_origin(annotation) in (list, tuple):
        return [4, 4]
    return _BY_TYPE.get(annotation, 4)
