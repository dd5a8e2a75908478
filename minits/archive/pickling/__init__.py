"""Pickles, as data: `reader` executes none of them, `globals` says what they may name."""
