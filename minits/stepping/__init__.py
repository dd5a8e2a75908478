"""Runs of programs that are recorded, and stepped over forwards and backwards (docs/debugging.md).

recording   a run by the interpreter, each operation with the values that it gave; begin here
files       JSON of recordings, checked when it is read
values      what is kept of a value: shape, range and NaN of a tensor, the text of another
session     a place in a recorded run: steps, breakpoints, watched values; it prints nothing
terminal    the commands of `minits debug`, on the standard library's `cmd`

Torch has no counterpart.
"""
