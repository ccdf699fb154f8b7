"""Reports with any text in any field, for property tests."""

from hypothesis import strategies as st

from migrate.diagnostics import Diagnostic
from migrate.report.model import LEVELS, VERDICTS, Evidence, FileReport, InstantiationReport, KernelReport, Report

NASTY = st.sampled_from(
    [
        "<script>alert(1)</script>", "\"><img src=x onerror='x'>", "]]>", "-->", "{{ 7 * 7 }}", "{% raw %}", "&lt;&#0;",
        "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "＝1", "a,b;\"c\"\r\nd", "\x1b[31mred", "\x00", "\ud800",
        "\u202egnp.exe", "</style>", "javascript:alert(1)", "../../etc/passwd", "/etc/passwd", "C:\\x", "\ufffe",
    ]
)  # fmt: skip
TEXT = st.one_of(NASTY, st.text(st.characters(), max_size=20))
CODE = st.one_of(st.sampled_from(["TLM201", "TLM730", "TLM900"]), TEXT)
LINE = st.integers(0, 40)

DIAGNOSTIC = st.builds(
    Diagnostic,
    code=CODE,
    severity=st.sampled_from(["error", "warning", "note"]),
    message=TEXT,
    file=TEXT,
    line=LINE,
    column=LINE,
    end_line=LINE,
    end_column=LINE,
)
DIAGNOSTICS = st.lists(DIAGNOSTIC, max_size=3).map(tuple)
WORST = st.one_of(TEXT, st.integers(), st.floats(), st.dictionaries(TEXT, TEXT, max_size=2))
EVIDENCE = st.builds(
    Evidence,
    oracle=TEXT,
    engines=st.lists(TEXT, max_size=2).map(tuple),
    device=TEXT,
    cases=st.integers(0, 9),
    arcs=st.floats(0, 1),
    exact=st.booleans(),
    worst=st.dictionaries(TEXT, WORST, max_size=3),
    provenance=st.lists(TEXT, max_size=2).map(tuple),
)
INSTANTIATION = st.builds(
    InstantiationReport,
    cpp_name=TEXT,
    symbol=TEXT,
    level=st.sampled_from(LEVELS),
    verdict=st.sampled_from(VERDICTS),
    lowered=st.sampled_from([None, True, False]),
    evidence=EVIDENCE,
    rules=st.lists(TEXT, max_size=1).map(tuple),
    diagnostics=DIAGNOSTICS,
)
KERNEL = st.builds(
    KernelReport,
    id=TEXT,
    file=TEXT,
    line=LINE,
    end_line=LINE,
    name=TEXT,
    parsed=st.booleans(),
    level=st.sampled_from(LEVELS),
    port=TEXT,
    symbol=TEXT,
    lowered=st.sampled_from([None, True, False]),
    verdict=st.sampled_from(VERDICTS),
    evidence=EVIDENCE,
    effort=st.sampled_from(["none", "low", "medium", "high"]),
    instantiations=st.lists(INSTANTIATION, max_size=2).map(tuple),
    rules=st.lists(TEXT, max_size=1).map(tuple),
    certificate=st.lists(TEXT, max_size=1).map(tuple),
    portable_to=st.lists(st.dictionaries(TEXT, TEXT, max_size=2), max_size=1).map(tuple),
    diagnostics=DIAGNOSTICS,
)
FILE = st.builds(
    FileReport,
    path=TEXT,
    sha256=st.just("0" * 64),
    status=st.sampled_from(["converted", "partial", "refused", "no_kernels", "unreadable"]),
    port=TEXT,
    diagnostics=DIAGNOSTICS,
)
REPORT = st.builds(
    Report,
    version=TEXT,
    target=TEXT,
    root=TEXT,
    files=st.lists(FILE, max_size=2).map(tuple),
    kernels=st.lists(KERNEL, max_size=3, unique_by=lambda kernel: kernel.id).map(tuple),
)
