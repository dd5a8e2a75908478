"""Pickles, as data: `reader` executes none of them, `globals` says what they may name.

descriptions  what a pickle holds, before anything is made of it
writer        writing them
"""
