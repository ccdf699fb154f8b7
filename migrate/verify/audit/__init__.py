"""The audit: a second opinion on a verdict, from launches and data that were chosen by other code."""
