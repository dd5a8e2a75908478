"""The rules of the language: which programs show them, which break them, and where they are made.

rule      what a rule and a chapter are, and all of them
chapters/ the rules, a file for each section of the TorchScript language reference
evidence  what torch.jit and minits do with a rule's programs
pages     docs/language/, written from these
"""
