"""Cures that depend on where an error stands: what to write instead, and the edit that writes it.

An error is raised where a type or a name does not fit; there is no word on the loop or call around
it. Here the tree of the function is at hand:

    for i in range(len(self.layers)):       self.layers[i] needs a literal index [TS308]
        x = self.layers[i](x)               -> for i, layer in enumerate(self.layers): x = layer(x)

cured            begin here: from an error to one with better cures
site             the node at an error's place, and the nodes around it
refused_syntax   syntax that TorchScript lacks
builtin_calls    functions of Python that work otherwise, or not at all
libraries        those of numpy, collections and loggers
tested_values    attributes and items that may be None: a local variable
optional_values  None: `!= None`, defaults, `d.get(key)`
names            names that are spelled like others
annotations, class_annotations   types and annotations
unannotated      parameters without annotation, by the way they are used
module_indices   module lists and dicts with an index that is not known
"""
