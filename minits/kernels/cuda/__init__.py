"""Kernels on CUDA devices: printed as CUDA C++, built by NVRTC, launched through the driver.

cuda_kernel   a kernel with the functions that are built of it, bound to sizes; begin here
forms         the form of text that a launch needs, and its number of blocks
cuda_printer  kernels as CUDA text
arguments     the sizes, strides and workspace that a text gets from its caller
device_functions, cuda_math   the functions that a text calls: halves, chunks of memory, sharing
              of rows; functions of `cpu/c_math` that CUDA lacks
quick_functions   those of a few instructions, for what is rounded to a half
checks        checks of a call's numbers on the host, and assertions on the device
cubins        machine code of texts, kept in the user's cache folder
nvrtc         NVIDIA's compiler, by ctypes; it needs neither GPU nor driver
cuda_driver   modules, launches and contexts of the driver, by ctypes

`fused_kernel` makes a `CudaKernel` for tensors on a GPU. Nothing here is loaded before that; the
printer alone also serves `minits compile --emit=cuda`.
"""
