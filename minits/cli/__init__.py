"""The command line: `minits compile`, `minits run`, `minits build`, and others.

main             options, exit status; begin here
commands         the commands, a function each
programs         from `FILE[:NAME]` to what is compiled
passes, fusion   options that show passes, kernels and remarks
dump             syntax trees as text
libraries        `minits build`, `minits run --native`
inspection       what is in an archive
language_server  `minits lsp`
sample_inputs    arguments where the command line gives none
report, errors   faults on standard error; misuse

It is the last room: only `minits/__main__.py` and the script `minits` import it.
Torch has no counterpart.
"""
