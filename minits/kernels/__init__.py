"""Kernels: from a group of operators to C or CUDA, built, bound to shapes and launched.

kernel, layout, builder, simplifying   what a kernel is, how it walks through memory, making one;
                 begin here
scalar_ops       the scalar operations: numpy, C, CUDA and derivative in a row each
lowering         from a group of operators to its kernel
evaluate         what a kernel computes, by numpy: the oracle of the printers
c_printer, cuda_printer, printing, c_math, cuda_math   kernels as text, and functions that it calls
cpu, cuda        building and binding: c_build, building, background, c_compiler, compiler_runs,
                 libraries, cache, and nvrtc, cuda_driver
fused            a lowered group that can be called; geometry, eager_strides, launch, any_sizes,
                 admission
call_key, guards, observers   what tells calls apart, and when nothing may be fused
autograd         gradients of a group: gradient_plan (what is saved: eager_saves, smallest_cut),
                 gradient and backward_group (the kernel), reduction_gradients, scan_gradients,
                 input_gradients, partial_sums, column_sums, unfused_gradients
facts            what is known of a tensor before it exists

`passes/fusion` asks what can be in a group, `codegen/group_kernels.py` lowers and binds.
Torch's counterpart: torch/csrc/jit/tensorexpr and torch/csrc/jit/codegen.
"""
