"""Draws the pictures of the HTML view from the papers that come along, in Chromium: `make pictures`."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import kg

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
_WIDTH, _HEIGHT = 1200, 720

#: Name of a picture -> options of the view, address of the node in focus, dark or light.
PICTURES: dict[str, tuple[dict[str, Any], str, str]] = {
    "view": ({}, "", "light"),
    "view-focus": ({}, "#method:bert", "light"),
    "view-fields": ({"concepts_only": True, "community": True}, "", "dark"),
}


def main() -> None:
    """Builds the seeds and photographs every view."""
    graph = kg.build(ROOT / "seeds")
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as player, tempfile.TemporaryDirectory() as folder:
        browser = player.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, (options, fragment, scheme) in PICTURES.items():
            path = Path(folder, f"{name}.html")
            kg.view(graph, title="Landmark papers", **options).save(path)
            page = browser.new_page(
                viewport={"width": _WIDTH, "height": _HEIGHT},
                color_scheme="dark" if scheme == "dark" else "light",
                reduced_motion="reduce",
            )
            page.set_default_timeout(120_000)
            page.goto(path.as_uri() + fragment)
            page.wait_for_selector("html[data-ready]")
            page.wait_for_timeout(500)
            page.screenshot(path=IMAGES / f"{name}.jpg", type="jpeg", quality=72)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
