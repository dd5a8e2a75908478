"""Scheduling: the loops in which a kernel's values are computed, as data. Read in this order:

loops        the loop IR: the classes of a `Schedule`
sweeps       the values that each sweep over a row computes and keeps
uniform      values that are computed once for a launch, or once for a row
extremes     argmax and argmin as two sweeps
selection    functions that compute several operations at once, or one of them faster
quick        functions of a few instructions, on a GPU, for what is rounded to a half
waiting      what waits between the sweeps over a row on a GPU, and where
usual        operands for which loops are fast, and what becomes of others
short_rows   rows that are computed side by side
cpu, cuda    the loops on a CPU and on a GPU
column_sums  sums over the rows of what is written, for gradients of biases and weights
memory       the tensors of schedules that are evaluated: pointers and chunks
accumulating the accumulators of such schedules
evaluate     schedules evaluated one element after the other: an oracle of the tests
printing     a schedule as text, for readers: `minits compile --emit=loops`

The printers of C and CUDA ask for a schedule and write it.
Torch's counterpart: torch/csrc/jit/tensorexpr/loopnest.h.
"""
