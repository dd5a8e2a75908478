"""`minits lsp`: a language server, which editors start and talk to over stdio.

server         requests of the protocol, each answered by a function; begin here
documents      open texts, analysed in a thread a moment after they change
line_map       positions in a text that has changed since it was analysed
positions      the protocol's positions, which count UTF-16 units
messages       diagnostics, quick fixes and symbols as the protocol has them
error_pages    links to docs/errors.md

`cli/language_server.py` starts it; the answers come from `minits/queries/`. Nothing of a user's
text is run.
"""
