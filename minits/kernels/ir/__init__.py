"""The kernel IR: straight lines of scalar operations over an index space.

kernel       `Kernel` and `Scalar`: the computation of a group at each index; begin here
layout       `Layout`: how a kernel walks through memory, as far as its text depends on it
builder      making a kernel, one scalar at a time
simplifying  a builder that does not make what is known already, for derivatives
evaluate     kernels evaluated by numpy: the oracle of compiled kernels
printing     common parts of the C and CUDA printers: types, names of values, lines of text

`lowering` makes kernels of groups of operators, `gradients` makes kernels of kernels; the printers
of `cpu` and `cuda` write them. What a scalar operation means stands in `scalar_ops`.
"""
