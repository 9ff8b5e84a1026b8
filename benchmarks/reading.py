"""What reading an abstract costs beside spaCy's pipelines, in processor time.

The pipelines are freshly initialised (what they cost hardly depends on what they learnt) and get the same
texts in one thread. They take turns, so that a machine that gets slower gets slower for all; the median of
the rounds counts.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

os.environ |= dict.fromkeys(("BLIS_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from extractors.pipeline import blank, extract, load
from extractors.version import model_path
from kg.schema import Paper

__all__ = ["OURS", "seconds"]

#: Everything that `kg extract` does with an abstract.
OURS = "kg extract"

_WIDTH = 96


def seconds(records: list[dict[str, Any]], *, rounds: int = 3) -> Mapping[str, float]:
    """Name of a reader -> seconds an abstract."""
    papers = [Paper(title=record["title"], abstract=record["abstract"]) for record in records]
    texts = [paper.text for paper in papers]
    ours, tagger = load(), blank()
    tagger.add_pipe("paperkg_tagger", config={"path": str(model_path() / "network.npz")})
    readers: dict[str, Callable[[], object]] = {
        OURS: lambda: list(extract(papers, nlp=ours)),
        "its network alone": _pipe(tagger, texts),
        'blank("en"), sentencizer': _pipe(_sentences(), texts),
        "tok2vec, ner": _pipe(_plain_ner(), texts),
        "the make-up of en_core_web_sm": _pipe(_like_web_sm(), texts),
    }
    spent: dict[str, list[float]] = {name: [] for name in readers}
    for turn in range(rounds + 1):
        for name, read in readers.items():
            start = time.process_time()
            read()
            if turn:  # the first round fills caches
                spent[name].append((time.process_time() - start) / len(papers))
    return {name: statistics.median(values) for name, values in spent.items()}


def _pipe(nlp: Language, texts: list[str]) -> Callable[[], object]:
    return lambda: list(nlp.pipe(texts, batch_size=64))


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
    doc = Doc(nlp.vocab, words="This is a sentence .".split())
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
