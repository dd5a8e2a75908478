"""The operators of torch that fuse, found by torch's own database of operators.

command     `python -m conformance fusion`
database    the elementwise and reducing operators of the database, and how a program calls each
programs    a small program around a sample of the database: the operator between two others
sweep       each program compiled and compared: does it fuse, and does it give what eager gives
page        docs/operators.md, made of what the sweep found
"""
