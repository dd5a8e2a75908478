"""Scheduling: the loops in which a kernel's values are computed, as data. Read in this order:

loops        the loop IR: what a `Schedule` is
sweeps       what each sweep over a row computes, and what is kept in between
uniform      what is computed once for a launch, or once for a row
extremes     argmax and argmin as two sweeps
usual        operands for which loops are fast, and what becomes of others
short_rows   which rows are computed side by side
cpu, cuda    the loops on a CPU and on a GPU
column_sums  sums over the rows of what is written, for gradients of biases and weights
evaluate     what a schedule computes, one element after the other: an oracle of the tests
printing     a schedule as text, for readers: `minits compile --emit=loops`

The printers of C and CUDA ask for a schedule and write it.
Torch's counterpart: torch/csrc/jit/tensorexpr/loopnest.h.
"""
