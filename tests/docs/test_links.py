"""Links between the documents lead somewhere, and every page of the specification is listed."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, SPEC

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
_LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
_ANCHOR = re.compile(r"\]\(((?!http)[^)#\s]*)#([^)\s]+)\)")
_FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = _LINK.findall(page.read_text(encoding="utf-8"))
    assert [
        link
        for link in links
        if not link.startswith(("http:", "https:")) and not (page.parent / link).exists()
    ] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_anchors_are_headings(page: Path) -> None:
    anchors = _ANCHOR.findall(page.read_text(encoding="utf-8"))
    assert [
        f"{link}#{anchor}"
        for link, anchor in anchors
        if anchor not in headings(page.parent / link if link else page)
    ] == []


@cache
def headings(page: Path) -> set[str]:
    """The headings of a page, in the form used in links."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize(
    "folder",
    [SPEC, *(ROOT / "docs" / name for name in ("cookbook", "decisions", "errors"))],
    ids=lambda f: f.name,
)
def test_every_page_is_listed(folder: Path) -> None:
    listed = set(_LINK.findall((folder / "README.md").read_text(encoding="utf-8")))
    pages = {page.name for page in folder.glob("*.md")} - {"README.md"}
    assert pages - listed == set()
