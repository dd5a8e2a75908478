"""The rules by chapters. Numbers in the files' names are the order, which is the reference's."""
