"""The real Neo4j Browser in Chromium: our style, our queries as saved scripts, and the graph drawn.

With `KG_TEST_PICTURES` set to a folder, the screenshots are put there: `docs/images` has one of them.
"""

from __future__ import annotations

import base64
import io
import os
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from neo4j import Driver

import cypher
from kg.push import push
from kg.queries import queries
from kg.server import Settings
from kg.store import Graph

pytestmark = [pytest.mark.neo4j, pytest.mark.browser]

_WAIT = 120_000
_DROP = """([name, content]) => {
    const bytes = Uint8Array.from(atob(content), letter => letter.charCodeAt(0));
    const files = new DataTransfer();
    files.items.add(new File([bytes], name));
    document.querySelector('.filedrop').dispatchEvent(
        new DragEvent('drop', {dataTransfer: files, bubbles: true, cancelable: true}));
}"""
#: The middle of the first relation that no node covers.
_FREE_RELATION = """() => {
    const drawn = document.querySelector('[data-testid=frame] svg.neod3viz');
    for (const relation of drawn.querySelectorAll('g.relationship')) {
        const box = relation.querySelector('text').getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        if (document.elementFromPoint(x, y)?.closest('g.relationship') === relation) return [x, y];
    }
}"""
_FRAME = "[data-testid=stream] [data-testid=frame] >> nth=0"
_DRAWN = f"{_FRAME} >> svg.neod3viz"


def connect(page: Any, settings: Settings) -> None:
    """Logs in as a person does."""
    page.wait_for_selector("[data-testid=username]", timeout=_WAIT)
    page.select_option("[data-testid=bolt-scheme-select]", label="bolt://")
    page.fill("[data-testid=boltaddress]", settings.uri.removeprefix("bolt://"))
    page.fill("[data-testid=username]", settings.username)
    page.fill("[data-testid=password]", settings.password)
    page.click("[data-testid=connect]")
    page.wait_for_selector("text=You are connected as user", timeout=_WAIT)


def drop(page: Any, name: str, content: bytes) -> None:
    """Drags a file into the window."""
    page.evaluate(_DROP, [name, base64.b64encode(content).decode()])


def run(page: Any, text: str) -> None:
    """Types into the editor and runs it."""
    page.click("[data-testid=activeEditor]")
    page.keyboard.insert_text(text)
    page.keyboard.press("Control+Enter")


def saved_scripts() -> bytes:
    """The folder of queries as a ZIP file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(cypher.QUERIES.glob("*.cypher")):
            archive.write(path, f"queries/{path.name}")
    return packed.getvalue()


def colours() -> dict[str, str]:
    """The colour of each label in our style."""
    text = cypher.STYLE.read_text(encoding="utf-8")
    return dict(re.findall(r"node\.(\w+) \{\n  color: (#\w+);", text))


def keep(page: Any, name: str, folder: Path) -> None:
    """Takes a picture."""
    page.locator(_FRAME).screenshot(path=Path(os.environ.get("KG_TEST_PICTURES", folder), f"{name}.png"))


def test_browser_draws_our_graph_in_our_style(
    server: Settings, database: Driver, browser_page: Any, seeds_graph: Graph, tmp_path: Path
) -> None:
    push(seeds_graph, server)
    page = browser_page
    connect(page, server)

    drop(page, "style.grass", cypher.STYLE.read_bytes())
    page.wait_for_selector(f"{_FRAME} >> text=node.Paper", timeout=_WAIT)
    assert all(colour in page.inner_text(_FRAME) for colour in colours().values())

    drop(page, "queries.zip", saved_scripts())
    page.click("[data-testid=navigationFavorites]")
    page.click("[data-testid='expandFolder-queries']")
    assert page.locator("[data-testid=savedScriptsButton-Run]").count() == len(queries())
    listed = page.inner_text("body")
    assert [query.title for query in queries().values() if query.title not in listed] == []
    page.click("[data-testid=navigationFavorites]")

    for name, parameter in (
        ("method-graph", "method => 'Transformer'"),
        ("paper-graph", "paper => 'paper:arxiv:1706.03762'"),
        ("task-graph", "task => 'object detection'"),
    ):
        run(page, f":param {parameter}")
        page.wait_for_selector(f"{_FRAME} >> [data-testid=rawParamData]", timeout=_WAIT)
        run(page, queries()[name].text)
        page.wait_for_selector(f"{_FRAME} >> text={queries()[name].title}", timeout=_WAIT)
        page.wait_for_selector(f"{_DRAWN} >> g.node >> nth=3", timeout=_WAIT)
        page.wait_for_timeout(1500)
        check_drawing(page, name)
        keep(page, f"neo4j-browser-{name}", tmp_path)


def check_drawing(page: Any, name: str) -> None:
    """The nodes have our colours, captions are names, and a relation shows its evidence."""
    drawn = page.locator(f"{_DRAWN} >> g.node circle.b-outline")
    fills = {drawn.nth(index).get_attribute("fill") for index in range(drawn.count())}
    assert fills <= set(colours().values())
    assert len(fills) > 1
    shown = page.text_content(_DRAWN)
    assert {"method-graph": "Transformer", "paper-graph": "Attention", "task-graph": "detection"}[
        name
    ] in shown
    page.mouse.click(*page.evaluate(_FREE_RELATION))
    page.wait_for_selector(f"{_FRAME} >> text='sentences'", timeout=_WAIT)
    page.locator(f"{_FRAME} >> text='sentences'").scroll_into_view_if_needed()
    inspected = page.inner_text("[data-testid=vizInspector] >> nth=0")
    assert "evidence_papers" in inspected
    assert "[object Object]" not in page.inner_text("body")
