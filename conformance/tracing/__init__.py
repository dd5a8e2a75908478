"""Traces compared with torch.jit's: the same program, traced by both, must have the same graph.

compare      both traces of one program, and where they differ; begin here
operators    programs of one operator each, from torch's database of operators
modules      programs of one module each, from torch's database of modules
models       models of torchvision, if it is installed
command      `python -m conformance tracing`

The programs written by hand are the cases of the chapter `tracing`.
"""
