"""Measured comparisons. Every number is a ratio against a peer in the same run."""
