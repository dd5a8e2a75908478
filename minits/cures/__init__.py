"""Cures applied: the edits of diagnostics made in the text of a file.

applying     the edits of one check; those that overlap wait for the next one
mending      check, edit, and check again, until no edit is left; the change as a diff

`minits check --fix` calls `mend`, and an editor `applied` for a single fault.
"""
