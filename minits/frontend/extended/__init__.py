"""What the extended dialect adds to the torch dialect: docs/extensions.md has an example for each.

knowledge, places, correlation, stored_conditions, known_arguments    what is known where
walrus           assignment expressions
truth            the truth of containers, tensors and objects
chosen_modules   `self.layers[i]` with an `i` of the call
keyword_arguments, keyword_spreading    `**kwargs` in calls
empty_containers  what empty lists and dicts hold, by what is put in
parent_methods   `super().forward(x)`
"""
