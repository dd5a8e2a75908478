"""Programs compiled in random orders, with events between: each as in a process of its own."""
