"""The zip file of an archive: read within limits, whatever is in it, and written.

reader          the records of an archive; begin here
package         the TorchScript in a torch.package
zip_directory   the entries, and where their bytes lie
limits          the largest sizes and depths that are read
zip_writer      writing one

`archive/reading/importer.py` opens it, and `archive/writing/writer.py` writes one.
"""
