"""Fused kernels on a GPU: `python -m benchmarks.gpu`.

command      the command: checks first, then times; begin here
checking     whether programs compute on the device what eager does there
rows         times of patterns and of rows of many lengths, beside eager, torch.jit, torch.compile
calls        what a call costs: a launch, a decoder's step, first calls; which kernels it launches
decoder, first_call   the programs of these
warming      fills torch.compile's cache by several processes, while results are checked
timing       time on a device, and a stand-in of it on the CPU
"""
