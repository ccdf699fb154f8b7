"""One conversion. A run with nothing changed only hashes, so what the stages need is imported when they run."""

from __future__ import annotations

from migrate.pipeline.lock import unchanged
from migrate.pipeline.options import Options
from migrate.pipeline.outcome import Outcome
from migrate.pipeline.stored import StoredReportError, load_report


def convert_repository(options: Options, *, dry_run: bool = False, quiet: bool = False) -> Outcome:
    """Parses, plans, emits, writes, lowers, verifies and reports. Raises UsageError for requests that make no sense.

    Each stage's results are cached by content, so a stopped run resumes. Ctrl-C while lowering or verifying gives a
    partial, valid result with ``interrupted`` set.
    """
    if unchanged(options):
        try:
            return Outcome(load_report(options.output), options.output)
        except StoredReportError:
            pass  # the lock is right but the report was removed: run again, from the caches
    from migrate.pipeline.stages import run_stages

    return run_stages(options, dry_run=dry_run, quiet=quiet)


__all__ = ["Outcome", "convert_repository"]
