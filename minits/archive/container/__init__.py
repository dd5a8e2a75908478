"""The zip file of an archive: read within limits, whatever is in it, and written.

reader          the records of an archive; begin here
zip_directory   which entries there are, and where their bytes lie
limits          how large and how deep they may be
zip_writer      writing one
"""
