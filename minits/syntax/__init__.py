"""Text to syntax tree: lexer, LALR parser, and the list of what TorchScript refuses."""
