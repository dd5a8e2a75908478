"""Frozen modules: copies whose attributes are constants of the graphs, for inference.

freeze           the public functions; begin here
method_graphs    a method's graph with all calls inlined, and those of what it forks;
                 calls of submodules that are known by their interface alone
modules_in_graphs   the module that a value of a graph stands for
kept_attributes  the attributes that cannot be constants, since something writes to them
constants        reading an attribute becomes a constant
objects          the same for objects of script classes
frozen_module    the result: a module of new types, without the attributes that nobody reads

The passes over graphs are in `minits/passes/freezing/`.
Torch's counterpart: torch/jit/_freeze.py and torch/csrc/jit/passes/freeze_module.cpp.
"""
