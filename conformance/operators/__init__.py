"""Every operator that torch registers, called from small programs: torch.jit and minits agree."""
