"""Opens a graph of 5,000 nodes and 20,000 edges in Chromium: our page, and the page that pyvis writes.

    python benchmarks/view.py [--nodes N] [--edges N] [--skip-pyvis]

For each page: seconds to write it, its size, seconds from opening until it is drawn and answers, and the
frames a second while the picture is dragged. "Answers" means of our page that it is ready, of pyvis' page
that its loading bar has gone: nothing is to be seen there before. Both get the same graph in the same run.
"""

from __future__ import annotations

import argparse
import math
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
from playwright.sync_api import Page, TimeoutError, sync_playwright
from pyvis.network import Network

import viz

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
_PATIENCE = 600_000
_READY = {
    "ours": "() => document.documentElement.dataset.ready === 'true'",
    "pyvis": "() => document.getElementById('loadingBar')?.style.display === 'none'",
}
_FRAMES = """() => {
  const seen = { count: 0, longest: 0, start: performance.now(), last: performance.now() };
  window.seenFrames = seen;
  const step = (now) => {
    seen.count += 1;
    seen.longest = Math.max(seen.longest, now - seen.last);
    seen.last = now;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}"""


def sample(nodes: int, edges: int, seed: int = 7) -> nx.MultiDiGraph[str]:
    """Papers and concepts; few concepts are in many papers."""
    chance = random.Random(seed)
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    papers = [f"paper:sha1:{index}" for index in range(nodes // 5)]
    kinds = ("Method", "Method", "Task", "Dataset", "Metric", "Term")
    concepts = [f"{kinds[i % 6].lower()}:concept-{i}" for i in range(nodes - len(papers))]
    for paper in papers:
        graph.add_node(
            paper, type="Paper", name=f"A paper about {paper[-4:]}", year=chance.randint(2010, 2025)
        )
    for index, concept in enumerate(concepts):
        graph.add_node(concept, type=kinds[index % 6], name=f"concept {index}", papers=1)
    for _ in range(edges):
        number = chance.randrange(len(papers))
        # Half of the concepts of a paper are those of its field: the picture has clusters, as real ones have.
        field = number % 40 if chance.random() < 0.5 else chance.randrange(40)
        concept = concepts[(int(100 * chance.random() ** 2) * 40 + field) % len(concepts)]
        item = {"paper": papers[number], "sentence": f"We use {concept} here.", "score": 0.9}
        graph.add_edge(papers[number], concept, type="USES", papers=1, score=0.9, evidence=[item])
    return graph


def write_pyvis(graph: nx.MultiDiGraph[str], path: Path) -> None:
    """What pyvis makes of the same graph with its defaults."""
    network = Network(directed=True, cdn_resources="in_line")
    for node, data in graph.nodes(data=True):
        network.add_node(node, label=data["name"], title=data["type"])
    for source, target, data in graph.edges(data=True):
        network.add_edge(source, target, title=data["type"])  # type: ignore[no-untyped-call]
    path.write_text(network.generate_html(), encoding="utf-8")


def opened(page: Page, path: Path, ready: str) -> float:
    """Seconds until a page is drawn and answers; infinite if it never does within ten minutes."""
    page.goto(path.as_uri(), wait_until="commit")
    try:
        page.wait_for_function(ready, timeout=_PATIENCE)
    except TimeoutError:
        return math.inf
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return float(page.evaluate("() => performance.now()")) / 1000


def dragged(page: Page) -> tuple[float, float]:
    """Frames a second while the picture is dragged, and the longest time without one, in milliseconds."""
    page.evaluate(_FRAMES)
    page.mouse.move(600, 780)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(600 + 3 * step, 780 - 2 * step)
        page.wait_for_timeout(16)
    page.mouse.up()
    seen = page.evaluate("() => window.seenFrames")
    return seen["count"] / (seen["last"] - seen["start"]) * 1000, seen["longest"]


def measure(options: argparse.Namespace) -> Iterator[str]:
    """The lines of the report."""
    graph = sample(options.nodes, options.edges)
    writers = {
        "ours": lambda path: viz.view(graph).save(path),
        f"ours, --top {options.nodes}": lambda path: viz.view(graph, top=options.nodes).save(path),
        "pyvis": lambda path: write_pyvis(graph, path),
    }
    yield f"{len(graph):,} nodes, {graph.number_of_edges():,} edges"
    with sync_playwright() as player, tempfile.TemporaryDirectory() as folder:
        browser = player.chromium.launch(executable_path=options.chromium, args=FLAGS)
        for name, write in writers.items():
            if options.skip_pyvis and name == "pyvis":
                continue
            path = Path(folder, "page.html")
            start = time.monotonic()
            write(path)
            written = time.monotonic() - start
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            first = opened(page, path, _READY[name.partition(",")[0]])
            frames, longest = dragged(page) if first < math.inf else (0.0, math.inf)
            yield (
                f"{name}: written in {written:.1f} s, {path.stat().st_size / 1e6:.1f} MB, "
                f"first interaction after {first:.2f} s, {frames:.0f} frames a second while dragging "
                f"(longest gap {longest:.0f} ms)"
            )
            page.close()
        browser.close()


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--edges", type=int, default=20000)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--skip-pyvis", action="store_true")
    for line in measure(parser.parse_args()):
        print(line, flush=True)


if __name__ == "__main__":
    main()
