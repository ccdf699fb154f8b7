"""Convert a source text and verify its ports, with or without damage to the port's text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from migrate.analysis.launch_plan import LaunchPlan, plan_kernel
from migrate.emit.port_file import PortEntry, PortFile, emit_port, source_file, support_files
from migrate.ir.kernel import Kernel
from migrate.parse.merge import merge_results
from migrate.parse.results import KernelRecord, ParseOptions
from migrate.parse.session import parse_repository
from migrate.verify.request import VerifyOptions, VerifyRequest
from migrate.verify.verdict import Verdict
from migrate.verify.verify import verify_kernel


@dataclass(frozen=True)
class Converted:
    """One source file, its port and what verification needs."""

    root: Path
    out: Path
    port: PortFile
    kernels: dict[str, tuple[KernelRecord, Kernel, LaunchPlan, PortEntry]]

    def request(self, name: str, out: Path | None = None, **options) -> VerifyRequest:
        record, kernel, plan, entry = self.kernels[name]
        module = self.port.path.removesuffix(".py").replace("/", ".")
        chosen = VerifyOptions(**{"use_cache": False, "record_host": False, **options})
        return VerifyRequest(self.root, record, kernel, plan, out or self.out, module, entry, chosen)

    def verify(self, name: str, **options) -> Verdict:
        return verify_kernel(self.request(name, **options))

    def verify_damaged(self, name: str, folder: Path, *edits: tuple[str, str], **options) -> Verdict:
        """Verifies a port in which each (old, new) pair was replaced inside the kernel's builder."""
        start = self.port.text.index(f"def _{name}(")
        stop = self.port.text.index(f"def {name}(", start)
        builder = self.port.text[start:stop]
        for old, new in edits:
            assert old in builder, f"{old!r} is not in the port:\n{builder}"
            builder = builder.replace(old, new)
        write_port(folder, self.port, self.port.text[:start] + builder + self.port.text[stop:])
        return verify_kernel(self.request(name, out=folder, **options))


def write_port(folder: Path, port: PortFile, text: str) -> None:
    for name, content in {**support_files([port.path]), port.path: text}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def convert(folder: Path, source: str) -> Converted:
    """Parses, plans and emits ``source``; everything must be accepted."""
    root, out = folder / "source", folder / "out"
    root.mkdir()
    (root / "k.cu").write_text(source)
    results = list(parse_repository(root, [root / "k.cu"], ParseOptions()))
    launches = [launch for result in results for launch in result.launches]
    records = merge_results(results)
    refusals = [item for record in records for item in record.refusals]
    assert not refusals, refusals
    kernels = [kernel for record in records for kernel in record.instantiations]
    port = emit_port(source_file(root, "k.cu"), kernels)
    assert not port.refusals, port.refusals
    write_port(out, port, port.text)
    entries = {entry.symbol: entry for entry in port.entries}
    found = {
        kernel.symbol: (record, kernel, plan_kernel(kernel, launches, record.id), entries[kernel.symbol])
        for record in records
        for kernel in record.instantiations
    }
    return Converted(root, out, port, found)
