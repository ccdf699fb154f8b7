"""CUDA sources → KernelModule: libclang with our own headers, in workers that can be killed."""

from migrate.parse.merge import merge_results
from migrate.parse.results import FileResult, KernelRecord, ParseOptions, Seen
from migrate.parse.session import parse_repository
from migrate.parse.sources import find_sources

__all__ = ["FileResult", "KernelRecord", "ParseOptions", "Seen", "find_sources", "merge_results", "parse_repository"]
