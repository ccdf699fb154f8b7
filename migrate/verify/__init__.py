"""Original against port: cases, runs, judgement."""
