"""Kernels on the CPU: printed as C, built by the system's compiler, called through ctypes.

cpu_kernel     a kernel with the functions that are built of it, bound to sizes; begin here
any_sizes      launches that work out the numbers of a call from its sizes
views_first    views of the arguments that these launches take first
c_printer      the loops of kernels as C text
task_functions the functions around these loops: threads, versions of loops, sums of columns
arguments      the parameters of these functions, and the table of numbers among them
c_math, c_paragraphs        the mathematical functions that the text calls
building       functions of several kernels as one library, now or in the background
background     the time at which kernels are built, and the thread that builds them
forks          forks of the process, which wait while that thread holds locks
c_build        from C text to a loaded library, once per machine
c_compiler, compiler_runs   the compiler of this machine, and runs of it
cache, libraries            the folder of what is built, and the libraries in it

`fused_kernel` makes a `CpuKernel` for tensors on the CPU. CUDA shares `c_math` and the cache.
"""
