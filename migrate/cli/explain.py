"""``migrate explain CODE``: a diagnostic's page."""

from __future__ import annotations

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Adds the command to ``app``."""
    app.command("explain")(explain)


def explain(code: Annotated[str, typer.Argument(help="A code such as TLM203, or 'list' for all codes.")]) -> None:
    """Print what a diagnostic means, why it exists, before and after, and what to do."""
    from migrate.diagnostics import PAGES, load_page

    if code == "list":
        for path in sorted(PAGES.glob("TLM*.toml")):
            page = load_page(path.stem)
            typer.echo(f"{path.stem}  {page['severity']:<8} {page['title']}")
        return
    name = code.upper() if code.upper().startswith("TLM") else f"TLM{code}"
    try:
        page = load_page(name)
    except KeyError:
        typer.echo(f"migrate: there is no code {name}; `migrate explain list` shows all", err=True)
        raise typer.Exit(2) from None
    typer.echo(render_page(name, page))


def render_page(code: str, page: dict[str, str]) -> str:
    """The page as plain text (Markdown headings), as printed and as put into the documentation."""
    parts = [f"# {code}: {page['title']}", f"Severity: {page['severity']}"]
    for key, heading in (("what", "What it means"), ("why", "Why")):
        if page.get(key):
            parts.append(f"## {heading}\n{page[key].strip()}")
    for key, heading, language in (("before", "Before (CUDA)", "cuda"), ("after", "After", "")):
        if page.get(key):
            parts.append(f"## {heading}\n```{language}\n{page[key].strip()}\n```")
    if page.get("action"):
        parts.append(f"## What to do\n{page['action'].strip()}")
    return "\n\n".join(parts)
