"""Command line, one small file a command."""
