"""A file that has nothing to do with torch, and would fail if it were run."""
raise SystemExit("it was run")


def setup(**options):
    return options
