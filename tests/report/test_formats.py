"""What each format says about one small report, with the sources beside it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from migrate.report.csv_report import render_csv
from migrate.report.formats import UnknownFormat, parse_formats
from migrate.report.html_report import percent, render_html
from migrate.report.model import FileReport, Report
from migrate.report.sarif_report import FINGERPRINT, artifact, code_point_column, render_sarif
from migrate.report.sources import Sources
from report.sarif_rules import check_sarif
from report.test_any_text import XHTML, parse_page
from report.test_model import REFUSAL, report

CUDA = """// first
#include <x>
__global__ void good(float* x) {
    x[0] = 1 < 2;
    asm("ü"); /* a
    comment over lines */
}
// done
"""
PORT = '''import tilelang.language as T


def _good(block: int):
    """What it does."""
    return 1


def good(
    x,
) -> None:
    launch(_good)
'''


def written(folder: Path, text: str = CUDA) -> tuple[Report, Sources]:
    (folder / "a.cu").write_text(text)
    (folder / "a_cu_tl.py").write_text(PORT)
    digest = hashlib.sha256((folder / "a.cu").read_bytes()).hexdigest()
    found = replace(report(), files=(FileReport("a.cu", digest, "partial", "a_cu_tl.py"),))
    return found, Sources(folder, folder, {"a.cu": digest})


def text_of(element: ElementTree.Element) -> str:
    return "".join(element.itertext())


def test_html_shows_original_and_builder_side_by_side(tmp_path: Path) -> None:
    root = parse_page(render_html(*written(tmp_path)))
    kernels = [d for d in root.iter(f"{XHTML}details") if "kernel" in d.get("class", "")]
    good, bad = kernels
    original, port = good.iter(f"{XHTML}ol")
    assert original.get("start") == "3" and text_of(original[0]) == "__global__ void good(float* x) {"
    assert text_of(original[1]) == "    x[0] = 1 < 2;"
    assert port.get("start") == "4" and [text_of(line) for line in port] == PORT.splitlines()[3:6]
    assert "8 cases" in text_of(good) and "max ulp" in text_of(good)
    (marked,) = [li for li in bad.iter(f"{XHTML}li") if li.get("class") == "error"]
    assert text_of(marked) == '    asm("ü"); /* a' and marked.get("id") == "k1-L5"
    assert [a for a in bad.iter(f"{XHTML}a") if a.get("href") == "#k1-L5"]
    assert "Refused: there is no port." in text_of(bad)


def test_every_local_link_leads_somewhere(tmp_path: Path) -> None:
    root = parse_page(render_html(*written(tmp_path)))
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert {a.get("href", "")[1:] for a in root.iter(f"{XHTML}a")} <= set(ids)


def test_a_comment_over_lines_keeps_its_colour_on_each(tmp_path: Path) -> None:
    page = render_html(*written(tmp_path))
    assert '<span class="c">/* a</span></li>' in page
    assert '<span class="c">    comment over lines */</span></li>' in page


def test_shares_are_of_all_kernels(tmp_path: Path) -> None:
    page = render_html(*written(tmp_path))
    assert '1 of 2</td><td class="num">50 %' in page
    assert percent(199, 200) == "99 %" and percent(0, 0) == "none"


def test_a_changed_original_is_not_shown(tmp_path: Path) -> None:
    found, sources = written(tmp_path)
    (tmp_path / "a.cu").write_text("// new\n" + CUDA)
    page = render_html(found, sources)
    assert "changed since this report" in page and "1 &lt; 2" not in page


def test_large_reports_stay_small(tmp_path: Path) -> None:
    body = "".join(f"    x[{n}] = x[{n}] * {n}.0f + y[{n}]; // some comment\n" for n in range(300))
    found, sources = written(tmp_path, f"\n\n__global__ void good(float* x) {{\n{body}}}\n")
    many = tuple(replace(found.kernels[0], id=f"a.cu:3:good{n}", end_line=304) for n in range(320))
    page = render_html(replace(found, kernels=many), sources)
    assert len(page.encode()) < 3_000_000
    assert "more lines are in the file" in page


def test_sarif_says_where_and_what(tmp_path: Path) -> None:
    log = json.loads(render_sarif(*written(tmp_path), exit_code=1))
    check_sarif(log)
    (run,) = log["runs"]
    (result,) = run["results"]
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "a.cu", "uriBaseId": "SRCROOT"},
        "region": {"startLine": 5, "startColumn": 5, "endLine": 5, "endColumn": 19},
    }
    assert location["logicalLocations"] == [{"name": "bad", "kind": "function"}]
    assert run["invocations"][0]["exitCode"] == 1 and run["invocations"][0]["executionSuccessful"]
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["id"] == "TLM201" and "What to do" in rule["help"]["text"]


def test_fingerprints_survive_moved_lines_and_tell_findings_apart(tmp_path: Path) -> None:
    def prints(text: str, *lines: int) -> list[str]:
        found, sources = written(tmp_path, text)
        ds = tuple(replace(REFUSAL, line=line, end_line=line) for line in lines)
        changed = replace(found, kernels=(replace(found.kernels[1], diagnostics=ds),))
        results = json.loads(render_sarif(changed, sources, exit_code=1))["runs"][0]["results"]
        return [result["partialFingerprints"][FINGERPRINT] for result in results]

    before = prints(CUDA, 5)
    assert prints("// one\n// more\n" + CUDA, 7) == before
    assert prints(CUDA.replace('asm("ü")', "asm(0)"), 5) != before
    assert prints(CUDA.replace("    asm", "\t  asm"), 5) == before, "indentation says nothing"
    twice = CUDA.replace("    x[0]", '    asm("ü"); /* a\n*/x[0]')
    first, second = prints(twice, 4, 6)
    assert first == before[0] and second != first


def test_columns_count_characters() -> None:
    assert [code_point_column('ü = "x"', column) for column in (1, 3, 6)] == [1, 2, 5]
    assert code_point_column(None, 7) == 7


@pytest.mark.parametrize(
    ("path", "uri"),
    [("a b.cu", "a%20b.cu"), ("src/ü.cu", "src/%C3%BC.cu"), ("c:d/e.cu", "c%3Ad/e.cu"), ("\udcff.cu", "%FF.cu")],
)
def test_paths_become_relative_references(path: str, uri: str) -> None:
    assert artifact(path) == {"uri": uri, "uriBaseId": "SRCROOT"}
    assert artifact("/x y/z") == {"uri": "file:///x%20y/z"}


def test_csv_golden() -> None:
    header, good, bad, end = render_csv(report()).split("\r\n")
    assert header.startswith("id,file,line,end_line,name,instantiations,parsed,level,lowered,verdict,effort,main_code")
    assert (
        good
        == "a.cu:3:good,a.cu,3,9,good,1,true,simt,,passed,none,,,8,1.0,true,shim,native,,,0,,a_cu_tl.py,good,loops,"
    )
    assert "refused" in bad and "TLM201,TLM201" in bad and bad.endswith("inline assembly is not converted")
    assert end == ""


def test_unknown_formats_are_named() -> None:
    assert parse_formats("html, csv,html") == ("html", "csv")
    with pytest.raises(UnknownFormat, match="xlsx"):
        parse_formats("json,xlsx")
