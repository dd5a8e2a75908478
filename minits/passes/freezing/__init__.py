"""Passes for frozen graphs: parameters are constants there, and so is whether a module is trained.

Begin with `batch_norm`.

tensor_identities   removes `x + 0` and `x.t().t()`; knows the rank of a convolution's result
no_ops              removes `x.detach()`, as nothing has gradients, and unread inputs of forks
dropout             removes dropout, which drops nothing here
weights             constants of convolutions and linear layers, read and replaced
batch_norm          makes batch norms a part of the weights before them
conv_arithmetic     does the same for sums and products with constants
concat_linear       makes one linear layer of those with the same input, on a GPU

`minits/freezing/` makes attributes constants and runs the pipelines `freeze`, `optimize-frozen` and
`fold-weights`.
Torch's counterpart: torch/csrc/jit/passes/frozen_*.cpp.
"""
