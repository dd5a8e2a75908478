"""CUDA C++ text of kernels, for any machine: neither GPU nor driver is needed to print it.

expressions begin here: constants, operations, casts and elements of tensors
loops       the whole text: `print_cuda`; how each loop and each statement is written

Which loops there are, and how they are laid out over threads, is decided by
`minits.kernels.schedule`. `device_functions` and `cuda_math` have the functions that a text calls,
`arguments` what a launch hands over.
"""

from minits.kernels.cuda.cuda_printer.loops import print_cuda

__all__ = ["print_cuda"]
