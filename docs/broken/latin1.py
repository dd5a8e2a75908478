x = 1
name = "café"
