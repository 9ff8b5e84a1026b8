"""What pages of the documentation take for granted: the graph of the seeds, and lists like a reader's own."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

from kg.cli.seeds import SHIPPED, copy_seeds
from tests.docs.commands import run

__all__ = ["prepare"]

_PAPERS = (
    {
        "id": "p17",
        "title": "Counting Penguins from Orbit",
        "abstract": "We propose PenguinNet, a neural network for object detection in satellite images.",
        "year": "2025",
    },
    {
        "id": "p18",
        "title": "Routers for Small Language Models",
        "abstract": "We introduce SparseRoute, a router for question answering, and evaluate it on SQuAD.",
        "year": "2025",
        "doi": "10.1000/xyz",
    },
)
_FEED = """<feed xmlns="http://www.w3.org/2005/Atom">
  <entry>
    <id>http://arxiv.org/abs/2401.00001v1</id>
    <title>Counting Penguins from Orbit</title>
    <summary>We propose PenguinNet for object detection in satellite images.</summary>
  </entry>
</feed>
"""


def prepare(folder: Path, *, cache: Path) -> Path:
    """Makes the folder in which a page's commands run, and returns it."""
    seeds = folder / "seeds"
    copy_seeds(SHIPPED, seeds)
    (folder / "rules.toml").write_text('drop = ["PenguinNet"]\n', encoding="utf-8")
    (folder / "arxiv.xml").write_text(_FEED, encoding="utf-8")
    _write_lists(folder)
    shutil.copy(seeds / "papers.jsonl", folder / "list.jsonl")
    for name in ("dump.jsonl.gz", "more.jsonl.gz"):
        (folder / name).write_bytes(gzip.compress((seeds / "papers.jsonl").read_bytes()))
    for command in (
        "kg build seeds -o graph.json",
        "cp graph.json old.json",
        "kg add graph.json new.bib -o new.json",
        "kg export new.json -o papers.bib",
        "kg annotate abstracts.txt -o my.gold.jsonl",
    ):
        run(command, folder=folder, cache=cache).check_returncode()
    return folder


def _write_lists(folder: Path) -> None:
    """The same two papers in each of the forms."""
    text = "\n\n".join(paper["abstract"] for paper in _PAPERS)
    lines = "".join(f"{json.dumps(paper)}\n" for paper in _PAPERS)
    bibtex = "".join(map(_bibtex, _PAPERS))
    for names, content in (
        (("list.txt", "abstracts.txt"), f"ICML 2025\n\n{text}\n"),
        (("more.jsonl",), lines),
        (("new.bib", "new-papers.bib"), bibtex),
    ):
        for name in names:
            (folder / name).write_text(content, encoding="utf-8")


def _bibtex(paper: dict[str, str]) -> str:
    fields = "".join(f"  {name} = {{{value}}},\n" for name, value in paper.items() if name != "id")
    return f"@misc{{{paper['id']},\n{fields}}}\n"
