"""Opens a graph of 5,000 nodes and 20,000 edges in Chromium: our page, and the page that pyvis writes.

    python benchmarks/view.py [--nodes N] [--edges N] [--limit SECONDS] [--skip-pyvis]

For each page: seconds to write it, its size, seconds from opening until it is drawn and answers, and the
frames a second while the picture is dragged. "Answers" means of our page that it is ready, of pyvis' page
that its loading bar has gone: nothing is to be seen there before. All get the same graph in the same run, a
browser each. Seconds are counted on the clock and on the processor (of the process that draws); the latter
tell more on a busy machine. A page that does not answer within the limit cannot be dragged, and its ratio is
a lower bound.
"""

from __future__ import annotations

import argparse
import math
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import networkx as nx
from playwright.sync_api import Browser, Page, Playwright, TimeoutError, sync_playwright
from pyvis.network import Network

import viz

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
#: So many seconds, and by so many moves of the mouse, a picture is dragged at least.
_DRAG, _MOVES = 4.0, 30
_READY = {
    "ours": "() => document.documentElement.dataset.ready === 'true'",
    "pyvis": "() => document.getElementById('loadingBar')?.style.display === 'none'",
}
_FRAMES = """() => {
  const seen = { count: 0, longest: 0, start: performance.now(), last: performance.now() };
  seen.view = JSON.stringify(network.getViewPosition());
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
        network.add_edge(source, target, title=data["type"])
    path.write_text(network.generate_html(), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Opened:
    """What opening a page took; `done` is false where it did not answer within the limit."""

    written: float
    megabytes: float
    seconds: float
    processor: float
    done: bool
    frames: float = 0.0
    longest: float = math.inf

    def line(self, name: str) -> str:
        """The figures in words."""
        more = "" if self.done else "more than "
        frames = f"{self.frames:.0f} frames a second while dragging (longest gap {self.longest:.0f} ms)"
        return (
            f"{name}: written in {self.written:.1f} s, {self.megabytes:.1f} MB, "
            f"first interaction after {more}{self.seconds:.2f} s ({self.processor:.2f} s of processor), "
            f"{frames if self.done else 'no dragging'}"
        )

    def against(self, other: Opened) -> str:
        """How much sooner than another page."""
        more = "" if other.done else "more than "
        frames = f", {self.frames / other.frames:.1f} times as many frames" if other.done else ""
        return (
            f"{more}{other.seconds / self.seconds:.0f} times sooner than pyvis by the clock, "
            f"{more}{other.processor / self.processor:.0f} times by the processor{frames}"
        )


def opened(page: Page, path: Path, ready: str, limit: float) -> tuple[float, bool]:
    """Seconds until a page is drawn and answers, and whether it does before the limit."""
    start = time.monotonic()
    page.goto(path.as_uri(), wait_until="commit")
    try:
        page.wait_for_function(ready, timeout=limit * 1000)
    except TimeoutError:
        return time.monotonic() - start, False
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return float(page.evaluate("() => performance.now()")) / 1000, True


def processor(browser: Browser) -> float:
    """Processor seconds of the processes that draw pages."""
    session = browser.new_browser_cdp_session()
    found = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return math.fsum(process["cpuTime"] for process in found if process["type"] == "renderer")


def dragged(page: Page) -> tuple[float, float]:
    """Frames a second while the picture is dragged, and the longest time without one, in milliseconds."""
    box = page.locator("canvas").bounding_box()
    assert box is not None
    left, bottom = box["x"] + 24, box["y"] + box["height"] - 24  # a corner, where no node stands
    page.evaluate(_FRAMES)
    page.mouse.move(left, bottom)
    page.mouse.down()
    end, step = time.monotonic() + _DRAG, 0
    while time.monotonic() < end or step < _MOVES:
        step += 1
        page.mouse.move(left + step % 120 * 3, bottom - step % 120 * 2)
        page.wait_for_timeout(16)
    page.mouse.up()
    seen = page.evaluate("() => ({ ...seenFrames, now: performance.now() })")
    if page.evaluate("() => JSON.stringify(network.getViewPosition()) === seenFrames.view"):
        raise RuntimeError("the picture did not move")
    return seen["count"] / (seen["now"] - seen["start"]) * 1000, seen["longest"]


def tried(
    player: Playwright, write: Callable[[Path], None], kind: str, options: argparse.Namespace
) -> Opened:
    """Writes a page, opens it and drags its picture."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "page.html")
        start = time.monotonic()
        write(path)
        written = time.monotonic() - start
        browser = player.chromium.launch(executable_path=options.chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        before = processor(browser)
        seconds, done = opened(page, path, _READY[kind], options.limit)
        spent = processor(browser) - before
        found = Opened(written, path.stat().st_size / 1e6, seconds, spent, done)
        if done:
            frames, longest = dragged(page)
            found = replace(found, frames=frames, longest=longest)
        browser.close()
        return found


def measure(options: argparse.Namespace) -> Iterator[str]:
    """The lines of the report."""
    graph = sample(options.nodes, options.edges)
    writers: dict[str, Callable[[Path], None]] = {
        "ours": lambda path: viz.view(graph).save(path),
        f"ours, --top {options.nodes}": lambda path: viz.view(graph, top=options.nodes).save(path),
    }
    yield f"{len(graph):,} nodes, {graph.number_of_edges():,} edges"
    with sync_playwright() as player:
        ours = {name: tried(player, write, "ours", options) for name, write in writers.items()}
        yield from (found.line(name) for name, found in ours.items())
        if not options.skip_pyvis:
            theirs = tried(player, lambda path: write_pyvis(graph, path), "pyvis", options)
            yield theirs.line("pyvis")
            yield from (f"{name}: {found.against(theirs)}" for name, found in ours.items())


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--edges", type=int, default=20000)
    parser.add_argument("--limit", type=float, default=300, metavar="SECONDS")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--skip-pyvis", action="store_true")
    for line in measure(parser.parse_args()):
        print(line, flush=True)


if __name__ == "__main__":
    main()
