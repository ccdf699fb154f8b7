"""Checks of TileLang programs that anybody wrote: what upstream 0.1.15 gets wrong silently, and what it says late.

Files are parsed, never imported; tilelang need not be installed. Codes and pages are those of the forbidden patterns.
"""
