"""From an archive to compiled classes and objects.

importer       begin here: the module of a file
code_files     the files under `code/`, parsed
definitions    classes and functions of that code, compiled when they are asked for
class_bodies, enums, literals, type_reader, code_scope    their parts
upgraders      operators of old versions
objects        the module and its attributes, out of `data.pkl`
tensors        tensors and their storages
quantized_tensors, packed_params    quantized ones, and the C++ objects that hold packed weights
old_packed_params    packed parameters as other versions of torch wrote them
debug_ranges   the ranges of the user's source that the code is from

`runtime/loading.py` calls the importer.
Source: torch/csrc/jit/serialization/import.cpp and import_source.cpp.
"""
