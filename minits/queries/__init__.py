"""Questions about a place of a program: its type, why it has it, and where a name is defined.

record         the types that the compiler finds in the functions of a file; begin here
type_at        the type at a position, with the refinement in force, or what ended it
describing     types and functions as text, in TorchScript's spelling
text_analysis  diagnostics and types of a text, none of which is run
origins        the annotation or the lines that the type of a variable comes from
branches       branches that are not compiled, and why
partial_scope, module_classes, unknown_values   names, modules and values that a text tells in part
definitions    the definition of the name at a position
bindings       the variables that a function binds, and where
symbols        the functions and classes of a file, as an outline

`minits lsp` and `minits explain` ask; they know nothing of each other's protocol or output.
"""
