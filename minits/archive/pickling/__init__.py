"""Pickles, as data: none is executed.

reader        from bytes to descriptions; begin here
globals       the names that a pickle may have: none of them is called
descriptions  the contents of a pickle, before anything is made of them
writer        writing them

`archive/reading` makes values of descriptions, `archive/writing` writes them.
Source: torch/csrc/jit/serialization/unpickler.cpp and pickler.cpp.
"""
