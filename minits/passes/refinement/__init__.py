"""Refinement: what conditions tell of integers and of lengths, used where they hold.

conditions    the walk that both share, begin here: facts that a condition tells, where they hold
integers      `n` is 2 where `n == 2`
lengths       `len(x)` is 2 where `len(x) == 2`

Only `--passes` runs them: a plan knows the numbers that matter from the call.
"""
