"""`minits check`: every fault of the programs of many files.

Without torch, for a run whose answers are all cached:

project          begin here: `check_project`, many files, with cache and processes
settings         what `[tool.minits]` of pyproject.toml and the command line say
files            from paths, folders and globs to files
results          what is known of a file: `FileResult`
serial           results as JSON and back
cache            results on disk, by content
imports          the files that a file imports
selection        `--select`, `--ignore`, per-file ignores, comments; one fault once
baseline         faults that are known and not reported
formats/         text, JSON, SARIF, GitHub, JUnit

With torch:

file_check       begin here: `check_file`, all faults of one file
file_faults      faults of files themselves: not UTF-8, failing while they are run
compiled_names   what a text compiles, read with `ast`
running          a file run as a module, its calls of torch.jit.script recorded
discovery        the programs of a module
instances        module classes made into instances
text_programs    the programs of a text that is not run
own_functions    functions that are meant for Python alone
user_places      a fault in library code is told at the user's line
archives         `.pt` files

Torch has no counterpart.
"""
