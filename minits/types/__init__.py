"""The types of TorchScript: what they are, which stands for which, and how programs write them.

types           the types, as values that are equal by content; begin here
subtyping       which type may stand for which; unification, type variables
annotations     from an annotation to a type: of a syntax tree, or of a live object
inference       from a Python object to its type
dict_keys       what may be the key of a dict
dtypes, int64, value_text   numbers of dtypes in IR, the bounds of `int`, values as text
tensor_meta     what is known of a tensor before it exists: dtype, device, shape, strides
remembered      what is kept by type between compilations

All later rooms ask it; of the rooms it imports `syntax` alone, for annotations.
Torch's counterpart: aten/src/ATen/core/jit_type.h and type.cpp, torch/jit/annotations.py.
"""
