"""Pickles, as data: `reader` executes none of them, `globals` says what they may name.

descriptions  the contents of a pickle, before anything is made of them
writer        writing them
"""
