"""Fixtures of the HTML view's tests: Chromium, and pages that may ask the network for nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from viz.page import View

#: Milliseconds that a busy machine may take.
_PATIENCE = 120_000
#: Opens a page and returns it: `open_view(view, fragment="#method:upgnet", width=390)`.
OpenView = Callable[..., Any]


def page_data(view: View) -> dict[str, Any]:
    """The data inside a page."""
    start = view.html.index('id="data">') + len('id="data">')
    data: dict[str, Any] = json.loads(view.html[start : view.html.index("</script>", start)])
    return data


@pytest.fixture
def open_view(browser: Any, tmp_path: Path) -> Iterator[OpenView]:
    """Opens views from disk; fails on any request but for the file itself and on any console error."""
    contexts: list[Any] = []
    asked: list[str] = []
    wrong: list[str] = []

    def note(message: Any) -> None:
        if message.type == "error":
            wrong.append(message.text)

    def open_it(
        view: View, *, fragment: str = "", width: int = 1280, height: int = 800, scheme: str = "light"
    ) -> Any:
        path = tmp_path / "view.html"
        view.save(path)
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
        )
        contexts.append(context)
        context.set_default_timeout(_PATIENCE)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", note)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(path.as_uri() + fragment)
        page.wait_for_selector("html[data-ready]")
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith((tmp_path.as_uri(), "blob:file:"))] == []
    assert wrong == []
