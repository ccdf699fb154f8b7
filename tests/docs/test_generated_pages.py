import re
import subprocess
import sys
from pathlib import Path

from migrate.diagnostics import PAGES, load_page

ROOT = Path(__file__).parents[2]
KEYS = {"title", "severity", "what", "why", "before", "after", "action", "effort"}


def test_generated_pages_are_in_step() -> None:
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + "run: python docs/generate.py"


def test_every_page_says_what_why_and_what_to_do() -> None:
    for path in PAGES.glob("*.toml"):
        page = load_page(path.stem)
        assert re.fullmatch(r"TLM\d{3}", path.stem)
        assert set(page) <= KEYS, path.name
        assert page["severity"] in ("error", "warning", "note"), path.name
        assert all(page.get(key, "").strip() for key in ("title", "what", "why", "action")), path.name


def test_every_code_that_the_source_names_has_a_page() -> None:
    named: set[str] = set()
    for package in ("migrate", "tilelang_runtime"):
        for path in (ROOT / package).rglob("*.py"):
            named |= set(re.findall(r"[\"'](TLM\d{3})[\"']", path.read_text(encoding="utf-8")))
    assert {code for code in named if not (PAGES / f"{code}.toml").is_file()} == set()


def test_local_links_of_the_documentation_lead_somewhere() -> None:
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"
