"""Refinement: what conditions tell of integers and of lengths, used where they hold.

conditions    what a condition tells, in the branches that it decides and after them
integers      `n` is 2 where `n == 2`
lengths       `len(x)` is 2 where `len(x) == 2`
"""
