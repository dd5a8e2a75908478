"""Archives that are damaged at random: each is read or refused, in bounded time and memory.

mutations   how an archive is changed: its bytes, its pickles, its code, its ranges
quantized   quantized, traced and frozen modules
corpus      the archives that are changed
loading     one archive, and whether it ends well
search      processes that load them, and what they find; begin here
"""
