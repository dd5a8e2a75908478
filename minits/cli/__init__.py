"""The command line: `minits compile`, `minits run`, `minits build`, and others.

main             all commands and their exit status; begin here
parsing          the parser of options, and misuse; `completion`: scripts for shells
compile_options  the options of `compile`, `run` and `opt`
compiling        `minits compile`; `fusion`: kernels and remarks; `dump`: syntax trees as text
opt              `minits opt`: passes on the text of graphs
running          `minits run`; `debugging`: `minits debug`, `minits run --record`
checking         `minits check`; `check_report`: its answers; `fixing`: `--fix`, `--diff`
commands         `minits inspect`; `inspection`: what is in an archive
explaining       `minits explain`; `places`: of a line of a program
pages            `minits docs`: the pages of docs/, which a wheel carries
libraries        `minits build`, `minits run --native`
report_page      `minits report`; `view_page`: `minits view`
language_server  `minits lsp`
programs         from `FILE[:NAME]` to what is compiled; `inputs`: arguments of a call
archives         the same of `MODEL.pt`; `operators`: `--import`, `--load-library`
passes           options that run and show passes
sample_inputs    arguments where the command line gives none
report, errors   faults on standard error; misuse

`main`, `parsing`, `checking` and the files of options import nothing of the compiler, so that
`--help` is quick.
It is the last room: only `minits/__main__.py` and the script `minits` import it.
Torch has no counterpart.
"""
