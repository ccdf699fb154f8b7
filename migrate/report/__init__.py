"""One report model, several formats."""
