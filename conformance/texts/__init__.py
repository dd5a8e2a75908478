"""The texts that minits prints about many programs, to compare two states of it."""
