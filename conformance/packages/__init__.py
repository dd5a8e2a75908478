"""Tests of whole packages of the package index, run under torch.jit and under minits' patch."""
