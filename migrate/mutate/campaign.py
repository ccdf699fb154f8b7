"""Mutants of many kernels: which to run, and running them in worker processes."""

from __future__ import annotations

import multiprocessing
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from migrate.mutate.model import MutationReport
from migrate.mutate.operators import OPERATORS, mutations
from migrate.mutate.run import KernelMutants, KernelResults, port_file, run_mutants
from migrate.mutate.view import BuilderView, Mutation
from migrate.verify.request import VerifyRequest

Progress = Callable[[KernelResults], None]


def all_sites(requests: Sequence[VerifyRequest], operators: tuple[str, ...] = ()) -> list[tuple[int, Mutation]]:
    """Every site of every operator in every port: (position of the request, mutation)."""
    found: list[tuple[int, Mutation]] = []
    for position, request in enumerate(requests):
        view = BuilderView(port_file(request).read_text(encoding="utf-8"), request.entry.builder)
        found += [(position, mutation) for mutation in mutations(view, operators)]
    return found


def choose(
    sites: Sequence[tuple[int, Mutation]], per_operator: int, seed: int
) -> tuple[list[tuple[int, Mutation]], dict[str, int]]:
    """A sample of at most ``per_operator`` sites an operator (0: all), and how many sites there are of each."""
    by_operator: dict[str, list[tuple[int, Mutation]]] = defaultdict(list)
    for site in sites:
        by_operator[site[1].operator].append(site)
    generator = random.Random(seed)
    chosen: list[tuple[int, Mutation]] = []
    for name in sorted(by_operator):
        own = by_operator[name]
        chosen += own if not per_operator or len(own) <= per_operator else generator.sample(own, per_operator)
    counts = {name: len(by_operator[name]) for name in (*OPERATORS, *sorted(set(by_operator) - set(OPERATORS)))}
    return chosen, counts


def run_campaign(
    requests: Sequence[VerifyRequest],
    *,
    operators: tuple[str, ...] = (),
    per_operator: int = 25,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress | None = None,
) -> MutationReport:
    """Runs a seeded sample of the mutants of the requests' ports. Raises KeyError for an unknown operator."""
    chosen, counts = choose(all_sites(requests, operators), per_operator, seed)
    report = MutationReport(seed, counts if not operators else {name: counts.get(name, 0) for name in operators})
    by_request: dict[int, list[Mutation]] = defaultdict(list)
    for position, mutation in chosen:
        by_request[position].append(mutation)
    tasks = [KernelMutants(requests[at], requests[at].entry.builder, tuple(own)) for at, own in by_request.items()]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max(1, jobs), mp_context=context) as pool:
        for future in as_completed([pool.submit(run_mutants, task) for task in tasks]):
            done = future.result()
            report.results += done.results
            if done.skipped:
                report.skipped[done.kernel] = done.skipped
            if progress is not None:
                progress(done)
    report.results.sort(key=lambda item: (item.operator, item.port, item.line, item.column, item.note))
    return report
