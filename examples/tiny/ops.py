"""The table of operators: the kind of node, what computes it, and the type that it gives.

The key is what the tree has: a class of `ast`, or the name of a function of torch. The type that an
operator gives is found by the types that it takes. `prim::If` and `prim::Loop` give the variables
that they change, whose types are known.
"""

import ast
from operator import add, eq, floordiv, gt, is_, is_not, lt, mod, mul, sub

import torch

from examples.tiny.runtime import loop

TENSOR, TEST, NONE = {"(Tensor)": "Tensor"}, {"(int, int)": "bool"}, {"(Tensor?, NoneType)": "bool"}
BOTH = {"(Tensor, Tensor)": "Tensor", "(Tensor, int)": "Tensor", "(int, int)": "int"}
OPERATORS = {
    ast.Add: ("aten::add", add, BOTH), ast.Sub: ("aten::sub", sub, BOTH),
    ast.Mult: ("aten::mul", mul, BOTH), ast.Mod: ("aten::remainder", mod, BOTH),
    ast.FloorDiv: ("aten::floordiv", floordiv, {"(int, int)": "int"}),
    ast.Lt: ("aten::lt", lt, TEST), ast.Gt: ("aten::gt", gt, TEST), ast.Eq: ("aten::eq", eq, TEST),
    ast.Is: ("aten::__is__", is_, NONE), ast.IsNot: ("aten::__isnot__", is_not, NONE),
    "relu": ("aten::relu", torch.relu, TENSOR), "tanh": ("aten::tanh", torch.tanh, TENSOR),
    "unchecked_cast": ("prim::unchecked_cast", lambda value: value, {"(Tensor?)": "Tensor"}),
}
IF = ("prim::If", lambda first, second, condition: first() if condition else second(), {})
LOOP = ("prim::Loop", loop, {})
