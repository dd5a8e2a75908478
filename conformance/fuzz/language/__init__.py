"""Random TorchScript programs, on which torch.jit and minits must agree."""
