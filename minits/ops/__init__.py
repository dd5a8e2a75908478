"""Operators: their schemas, their properties, and the functions that run them.

schema           the signature of all that can be called; begin here
registry         torch's registered operators, read name by name when they are asked for
builtins         operators of Python functions: `torch.add` is `aten::add`
properties       the overload of a node; side effects, random numbers
evaluate         from a node to the function that computes it: torch's, or one of `implementations/`
implementations  the operators that are not tensor operators, in Python
from_python, numbers_from_python, unfit_parts   Python objects as values of the language
broadcasting, eager_strides   the shapes of results, and how they lie in memory
libraries        packages and shared libraries that register further operators
native_methods, named_tuples, tensor_text, copies   helpers of operators
subscripts       subscripts of tensors by torch's binding, for operators that it stands for
errors           exceptions that a compiled program raises while it runs

What an operator means stands here once: interpreter, constant propagation and generated code ask
`evaluate`. Torch's counterpart: torch/csrc/jit/runtime/operator.cpp and register_prim_ops.cpp.
"""
