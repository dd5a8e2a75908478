"""Archives of compiled modules (`.pt` files), read and written, and the printer of their code.

errors      errors of archives, and of what cannot be saved
container   the zip file: its directory, its limits, its entries; writing one
pickling    the pickles inside: read as data (never executed), written
printing    TorchScript code of graphs: also what `.code` shows
reading     from the entries of a file to compiled classes, objects and tensors
writing     from a compiled module to the entries of a file
inspecting  what is in a file, told without compiling it

A folder imports only from those above it. `runtime/loading.py` and `runtime/saving.py` call
`reading/importer.py` and `writing/writer.py`. docs/archives.md describes the format.
"""
