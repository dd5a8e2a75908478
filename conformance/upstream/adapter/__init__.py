"""minits in the place of torch.jit, for test files that know only torch.jit.

What stays torch's own: the marks that decorators leave on Python objects, and what merely runs
Python (`annotate`, `isinstance`, `fork` called from Python). What compiles, traces, saves or loads
is minits', or raises `MissingFeature`: then the test fails, even where it expects an error.
"""
