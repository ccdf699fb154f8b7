"""The private program IR of the runtime."""
