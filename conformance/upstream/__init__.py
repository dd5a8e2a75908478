"""PyTorch's own TorchScript tests as a measure: `python -m conformance upstream PATH`.

The tests are not part of this repository; only their names are (`eligible.txt`).
"""
