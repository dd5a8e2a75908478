"""Random programs that fuse: eager, the interpreter, the numpy oracle and the kernels agree."""
