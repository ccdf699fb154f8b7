"""Rules: one file a rule, KernelModule in, PortModule out."""
