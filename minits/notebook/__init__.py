"""Compiled objects, graphs, kernels and errors in notebooks (docs/debugging.md#in-notebooks).

fragments   HTML of them, in the colours of the report page
magic       `%%minits`: a cell whose functions are compiled

`_repr_html_` of the classes is imported when it is first called. Torch has no counterpart.
"""
