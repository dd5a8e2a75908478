"""Programs that were not written for this suite: what torch and other packages define."""
