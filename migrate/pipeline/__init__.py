"""The conversion as a whole: discover, parse, plan, emit, write, lower, verify, report."""
