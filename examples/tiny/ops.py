"""Operators: their names in torch, the types of their results, and what computes them."""

import ast
import operator
from typing import Any

import torch

ARITHMETIC = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "floordiv",
    ast.Mod: "remainder",
}
COMPARISONS = {ast.Lt: "lt", ast.Gt: "gt", ast.Eq: "eq", ast.NotEq: "ne"}
IDENTITY = {ast.Is: "__is__", ast.IsNot: "__isnot__"}
BINARY = ARITHMETIC | COMPARISONS | IDENTITY
OF_ONE_TENSOR = ("relu", "exp", "sin", "tanh", "sigmoid")
IN_PYTHON = {
    "remainder": operator.mod,
    "div": operator.truediv,
    "__is__": operator.is_,
    "__isnot__": operator.is_not,
}


def result_type(name: str, types: list[str]) -> str | None:
    """Return the type that an operator gives for these arguments; None if it takes none such."""
    if name in IDENTITY.values():
        return "bool"
    if name in OF_ONE_TENSOR:
        return "Tensor" if types == ["Tensor"] else None
    if not {*types} <= {"Tensor", "int", "float"}:
        return None
    if "Tensor" in types:
        return "Tensor" if types[0] == "Tensor" and name != "floordiv" else None
    if name in COMPARISONS.values():
        return "bool"
    return "float" if "float" in types or name == "div" else "int"


def evaluate(kind: str, inputs: list[Any]) -> Any:
    """Compute an operator: of tensors as torch does, of other values as Python does."""
    name = kind.removeprefix("aten::")
    if isinstance(inputs[0], torch.Tensor) and name not in IDENTITY.values():
        alpha = {"alpha": inputs[2]} if name in ("add", "sub") else {}
        return getattr(torch, name)(*inputs[:2], **alpha)
    return (IN_PYTHON.get(name) or getattr(operator, name))(*inputs)
