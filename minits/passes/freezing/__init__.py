"""Passes for frozen graphs: parameters are constants there, and so is whether a module is trained.

Begin with `batch_norm`.

tensor_identities   `x + 0`, `x.t().t()`, the rank of what a convolution gives
no_ops              `x.detach()` where nothing has gradients; what forks are given and do not read
dropout             dropout that drops nothing
weights             constants of convolutions and linear layers, read and replaced
batch_norm          batch norms become a part of the weights before them
conv_arithmetic     so do sums and products with constants
concat_linear       linear layers of one input become one, on a GPU

`minits/freezing/` makes attributes constants and runs the pipelines `freeze`, `optimize-frozen` and
`fold-weights`.
Torch's counterpart: torch/csrc/jit/passes/frozen_*.cpp.
"""
