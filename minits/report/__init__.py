"""The report page: a compilation as one HTML file (docs/report.md).

recording     the graph after each pass, with nodes and values that keep their identity; begin here
model         the data of a page, as it is written into it as JSON
ranges        numbers for source ranges; which lines of kernels and generated Python are of which
collecting    from compiled programs to the data of a page
run           a run of a program, recorded by `minits/stepping/`, step by step
picture       the dataflow of a graph, laid out
layers        boxes in layers, by grandalf
modules       the tree of a module, and the time of each part
highlighting  code as HTML, with source ranges marked in it
page          the HTML, from `templates/` and `static/`

Torch has no counterpart.
"""
