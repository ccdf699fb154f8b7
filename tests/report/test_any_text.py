"""Whatever stands in a repository, reports stay well-formed and harmless."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings

from migrate.report.baseline import compare
from migrate.report.clean import clean_text
from migrate.report.csv_report import COLUMNS, cell, render_csv
from migrate.report.html_listing import listing
from migrate.report.html_report import render_html
from migrate.report.json_report import render_json
from migrate.report.model import Report
from migrate.report.sarif_report import render_sarif
from migrate.report.sources import Slice, Sources
from report.sarif_rules import check_sarif
from report.strategies import REPORT, TEXT

BUSY = settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
XHTML = "{http://www.w3.org/1999/xhtml}"
ALLOWED = {
    "html", "head", "meta", "title", "style", "body", "header", "main", "section", "h1", "h2", "h3", "p", "a", "div",
    "span", "strong", "code", "table", "caption", "thead", "tbody", "tr", "th", "td", "meter", "details", "summary",
    "ul", "ol", "li", "dl", "dt", "dd", "fieldset", "legend", "label", "input",
}  # fmt: skip


def parse_page(page: str) -> ElementTree.Element:
    """The page as XML (it is written so that both parsers read it alike), with only our own tags and local links."""
    page.encode("utf-8")
    doctype, _, rest = page.partition("\n")
    assert doctype == "<!DOCTYPE html>"
    root = ElementTree.fromstring(rest)
    for element in root.iter():
        assert element.tag.removeprefix(XHTML) in ALLOWED, element.tag
        for name, value in element.attrib.items():
            assert not name.startswith("on") and name not in ("style", "src"), name
            assert name != "href" or value.startswith("#"), value
    return root


@BUSY
@given(REPORT)
def test_html_is_well_formed_and_carries_nothing_active(report: Report) -> None:
    parse_page(
        render_html(report, comparison=compare(Report("", "", "", (), ()), report), settings={"seed": report.root})
    )


@BUSY
@given(REPORT)
def test_sarif_keeps_to_the_rules(report: Report) -> None:
    text = render_sarif(report, exit_code=1)
    text.encode("utf-8")
    check_sarif(json.loads(text))


@BUSY
@given(REPORT)
def test_csv_has_one_row_a_kernel_and_no_formulas(report: Report) -> None:
    text = render_csv(report)
    text.encode("utf-8")
    assert text.replace("\r\n", "").count("\n") == 0, "a bare newline"
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert [len(row) for row in rows] == [len(COLUMNS)] * (len(report.kernels) + 1)
    textual = [
        COLUMNS.index(name) for name in ("id", "file", "name", "main_code", "oracle", "engines", "port", "message")
    ]
    for row in rows[1:]:
        for index in textual:
            assert row[index][:1] not in tuple("=+-@\t\r＝＋－＠")


@BUSY
@given(REPORT)
def test_json_can_be_written_and_read(report: Report) -> None:
    text = render_json(report)
    text.encode("utf-8")
    json.loads(text)


@BUSY
@given(TEXT, TEXT)
def test_listings_show_every_character(first: str, second: str) -> None:
    for language in ("cuda", "python"):
        markup = listing(Slice(3, (first, second)), language).html(5)
        items = ElementTree.fromstring(markup).findall("li")
        shown = ["".join(item.itertext()) for item in items]
        assert shown == [clean_text(line).replace("\n", " ") for line in (first, second)]


def test_numbers_are_no_formulas_and_stay_numbers() -> None:
    assert [cell(value) for value in (-1, -0.5, True, None, "-1")] == ["-1", "-0.5", "true", "", "'-1"]


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "link", "\x00", "a/../../secret"])
def test_nothing_outside_the_folders_is_read(tmp_path: Path, path: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret").write_text("secret")
    (root / "link").symlink_to(tmp_path / "secret")
    sources = Sources(root, root)
    assert sources.line(path, 1) is None
    assert not sources.original(path, 1, 2).lines
    assert not sources.port(path, "secret").lines
