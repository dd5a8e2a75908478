"""Archives of compiled modules, and the printer of their code."""
