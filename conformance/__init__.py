"""The suite that measures an implementation of the TorchScript language against torch.jit.

`conformance/README.md` says what a case is, what is compared and how to run the suite.
"""
