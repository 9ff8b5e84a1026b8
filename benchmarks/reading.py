"""What reading an abstract costs: `PYTHONPATH=. python benchmarks/reading.py TEXTS.jsonl [PAPERS]`.

Prints CPU seconds an abstract of the tagger, of everything that `kg extract` does, and of three spaCy
pipelines beside them, freshly initialised (what they cost hardly depends on what they learnt): `blank` with
sentences, `tok2vec` and `ner`, and one of the make-up of `en_core_web_sm`. One thread, the same texts; the
pipelines take turns, the median of the rounds counts. Then the wall time of one and two workers.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

os.environ |= dict.fromkeys(("BLIS_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

import spacy
from rich.console import Console
from rich.table import Table
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from extractors.pipeline import blank, extract, load
from extractors.version import model_path
from kg.extraction import read_papers
from kg.schema import Extraction, Paper

__all__ = ["main"]

_ROUNDS = 5
_WIDTH = 96


def main() -> None:
    """Measures and prints the tables."""
    path, number = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 300
    with path.open("rb") as lines:
        papers = [
            Paper(title=p["title"], abstract=p["abstract"]) for p in map(json.loads, islice(lines, number))
        ]
    texts = [paper.text for paper in papers]
    everything = load()
    tagger = blank()
    tagger.add_pipe("paperkg_tagger", config={"path": str(model_path() / "network.npz")})
    readers: dict[str, Callable[[], object]] = {
        "en_core_web_sm's make-up": _pipe(_like_web_sm(), texts),
        "blank, sentences": _pipe(_sentences(), texts),
        "tok2vec, ner": _pipe(_plain_ner(), texts),
        "tagger": _pipe(tagger, texts),
        "everything": lambda: list(extract(papers, nlp=everything)),
    }
    seconds = _cpu_seconds(readers, len(papers))
    reference = seconds["en_core_web_sm's make-up"]
    table = Table("reader", "CPU s / abstract", "ratio", title=f"{len(papers)} abstracts, {_ROUNDS} rounds")
    for name, value in seconds.items():
        table.add_row(name, f"{value:.4f}", f"{value / reference:.2f}")
    Console().print(table)
    _print_workers(papers)


def _pipe(nlp: Language, texts: list[str]) -> Callable[[], object]:
    return lambda: list(nlp.pipe(texts, batch_size=64))


def _cpu_seconds(readers: dict[str, Callable[[], object]], papers: int) -> dict[str, float]:
    spent: dict[str, list[float]] = {name: [] for name in readers}
    for turn in range(_ROUNDS + 1):
        for name, read in readers.items():
            start = time.process_time()
            read()
            if turn:  # the first round fills caches
                spent[name].append((time.process_time() - start) / papers)
    return {name: statistics.median(values) for name, values in spent.items()}


def _sentences() -> Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return nlp


def _plain_ner() -> Language:
    nlp = spacy.blank("en")
    _add_ner(nlp, "Method", "Task", "Dataset", "Metric", "Term")
    nlp.initialize()
    return nlp


def _like_web_sm() -> Language:
    """tok2vec, tagger, parser, lemmatizer and ner of width 96, with as many labels as the real one has."""
    nlp = spacy.blank("en")
    nlp.add_pipe("tok2vec", config={"model": _tok2vec()})
    tagger: Any = nlp.add_pipe("tagger", config={"model": {"tok2vec": _LISTENER}})
    for index in range(50):
        tagger.add_label(f"T{index}")
    parser: Any = nlp.add_pipe("parser", config={"model": {"tok2vec": _LISTENER}})
    for index in range(45):
        parser.add_label(f"d{index}")
    lemmatizer: Any = nlp.add_pipe("lemmatizer", config={"mode": "lookup"})
    _add_ner(nlp, *(f"E{index}" for index in range(18)))
    words = "This is a sentence .".split()
    doc = Doc(nlp.vocab, words=words)
    marks = {"tags": ["T0"] * 5, "heads": [1, 1, 3, 1, 1], "deps": ["d0"] * 5}
    lemmatizer.lookups.add_table("lemma_lookup", {})
    nlp.initialize(lambda: [Example.from_dict(doc, marks)])
    return nlp


_LISTENER = {"@architectures": "spacy.Tok2VecListener.v1", "width": _WIDTH, "upstream": "tok2vec"}


def _tok2vec() -> dict[str, object]:
    embed = {
        "@architectures": "spacy.MultiHashEmbed.v2",
        "width": _WIDTH,
        "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE", "SPACY", "IS_SPACE"],
        "rows": [5000, 1000, 2500, 2500, 50, 50],
        "include_static_vectors": False,
    }
    encode = {
        "@architectures": "spacy.MaxoutWindowEncoder.v2",
        "width": _WIDTH,
        "depth": 4,
        "window_size": 1,
        "maxout_pieces": 3,
    }
    return {"@architectures": "spacy.Tok2Vec.v2", "embed": embed, "encode": encode}


def _add_ner(nlp: Language, *labels: str) -> None:
    """An entity recogniser with a tok2vec of its own, as en_core_web_sm has it."""
    ner: Any = nlp.add_pipe("ner", config={"model": {"tok2vec": _tok2vec()}})
    for label in labels:
        ner.add_label(label)


def _print_workers(papers: list[Paper]) -> None:
    spent = {}
    for workers in (1, 2):
        start = time.monotonic()
        assert all(
            isinstance(found, Extraction) for _, found in read_papers(papers, workers=workers, cached=False)
        )
        spent[workers] = time.monotonic() - start
    Console().print(f"two workers beside one: {spent[1] / spent[2]:.2f} times as fast, starting included")


if __name__ == "__main__":
    main()
