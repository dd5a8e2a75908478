"""Kernels: from a group of operators to C or CUDA, built, bound to shapes and launched.

ir            kernels, how they walk through memory, and their meaning by numpy; begin here
scalar_ops    the scalar operations: numpy, C, CUDA and derivative in a row each
schedule      the loops around a kernel's values, as data that printers write; their meaning
lowering      from a group of operators to its kernel
launch        questions about the tensors of a call: geometry, key, guard, admission
cpu           kernels as C text, built by the system's compiler
cuda          kernels as CUDA text, built by NVRTC
fused_kernel  a lowered group that can be called, on either
launch_cache  the launchers of a group, found by the tensors of a call
gradients     a fused kernel as one node of autograd's graph, its gradient as another kernel

`passes/fusion` asks what can be in a group, `codegen/group_kernels.py` lowers and binds. A folder
imports only from those before it (`launch` from `lowering`), which `lint-imports` checks.
Torch's counterpart: torch/csrc/jit/tensorexpr and torch/csrc/jit/codegen.
"""
