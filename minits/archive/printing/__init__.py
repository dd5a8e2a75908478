"""Graphs printed as TorchScript code, with the places in the source that each line is from."""
