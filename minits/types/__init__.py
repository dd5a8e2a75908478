"""The types of TorchScript: their classes, subtyping, and annotations of programs.

types           the types, as values that are equal by content; begin here
subtyping       subtypes, unification, type variables
type_parts      how many parts a type has, and the distinct ones of a tuple
annotations     from an annotation to a type: of a syntax tree, or of a live object
inference       from a Python object to its type
named_fields    the names of NamedTuples whose types are those of plain tuples
dict_keys       types that keys of a dict may have
dtypes, int64, value_text   numbers of dtypes in IR, the bounds of `int`, values as text
tensor_meta     metadata of a tensor before it exists: dtype, device, shape, strides
wrapped_number  numbers as the tensors that operators get, which widen no dtype
remembered      results that are kept by type between compilations

All later rooms ask it; of the rooms it imports `syntax` alone, for annotations.
Torch's counterpart: aten/src/ATen/core/jit_type.h and type.cpp, torch/jit/annotations.py.
"""
