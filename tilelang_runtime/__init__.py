"""A TileLang runtime that needs neither GPU nor the real tilelang. Never imports migrate."""
