"""The zip file of an archive: read within limits, whatever is in it, and written."""
