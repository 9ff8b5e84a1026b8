"""The reader of abstracts: one spaCy `Language`, built here, and the way through it from papers to
extractions.

    text -> tokens, sentences -> tagger -> code links, abbreviations -> mentions -> roles -> relations
    -> without what is doubtful

Every step is a component with a registered factory; its result is an extension attribute of the document
(`doc._.code_links`, `doc._.abbreviations`, `doc._.mentions`, `doc._.concepts`, `doc._.relations`). What
leaves this module is plain: strings, numbers and offsets into the text as it was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from pathlib import Path

import orjson
from spacy.language import Language
from spacy.tokens import Doc

import extractors.doubtful
import extractors.entities
import extractors.layout
import extractors.relations
import extractors.tagger  # noqa: F401  (these modules register the factories that are named below)
from extractors.batches import in_batches
from extractors.code_links import find_code_links
from extractors.records import to_extraction
from extractors.text import clean
from extractors.tokens import bare_language
from extractors.version import extractor_version, model_path
from kg.errors import ModelError
from kg.schema import Extraction, Paper

__all__ = ["KEPT_WORDS", "assemble_pipeline", "blank", "extract", "load", "read_paper"]

_BATCH = 64
#: Words that stay known from batch to batch: knowing them costs memory, learning them anew costs time.
KEPT_WORDS = 200_000
_EMPTY = clean("")


@lru_cache(maxsize=1)
def load() -> Language:
    """The pipeline with the shipped weights; built once a process.

    Raises:
        ModelError: the weights are missing or damaged.
    """
    return assemble_pipeline(model_path())


def assemble_pipeline(path: Path) -> Language:
    """The pipeline with the weights of a folder (see the README there); raises ModelError."""
    types, network = str(path / "types.json"), str(path / "network.npz")
    try:
        card = orjson.loads((path / "card.json").read_bytes())
        measured = card["calibration"]
        mentions = {"types": types, "calibration": measured["mentions"]}
        roles = {"types": types, "thresholds": card["roles"], "calibration": measured["roles"]}
        relations = {"threshold": card["relations"], "calibration": measured["relations"]}
        doubtful = {"least": card["mentions"], "least_word": card["words"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(
            f"the extractor's weights in {path} cannot be read: {error}", hint="install paperkg again"
        ) from error
    nlp = blank()
    nlp.meta["paperkg"] = extractor_version(path)
    nlp.add_pipe("paperkg_tagger", config={"path": network})
    nlp.add_pipe("paperkg_code_links")
    nlp.add_pipe("paperkg_abbreviations")
    nlp.add_pipe("paperkg_mentions", config=mentions)
    nlp.add_pipe("paperkg_roles", config=roles | {"network": network})
    nlp.add_pipe("paperkg_relations", config=relations | {"network": network})
    nlp.add_pipe("paperkg_doubtful", config=doubtful)
    return nlp


def blank() -> Language:
    """Tokens and sentences alone."""
    nlp = bare_language()
    nlp.add_pipe("paperkg_sentences")
    return nlp


def extract(
    papers: Iterable[Paper], *, nlp: Language | None = None, batch_size: int = _BATCH
) -> Iterator[Extraction]:
    """Reads papers; gives one extraction for each, in their order.

    Args:
        papers: what to read; any iterable, consumed batch by batch.
        nlp: the pipeline; by default the shipped one.
        batch_size: papers that are read together.

    Example:
        >>> from kg.schema import Paper
        >>> [link.url for link in next(extract([Paper(abstract="Code: https://github.com/o/r.")])).code_links]
        ['https://github.com/o/r']
    """
    language = nlp or load()
    for batch in in_batches(papers, batch_size):
        with _forgetful(language):
            docs = language.pipe(_documents(language, batch), batch_size=batch_size)
            results = [
                to_extraction(paper, doc, language.meta["paperkg"])
                for paper, doc in zip(batch, docs, strict=True)
            ]
        yield from results


def _forgetful(language: Language) -> AbstractContextManager[object]:
    """Once very many words are known, a zone that forgets the new ones of a batch: memory stays flat."""
    return language.memory_zone() if len(language.vocab.strings) >= KEPT_WORDS else nullcontext()


def read_paper(paper: Paper, *, nlp: Language | None = None) -> Doc:
    """The spaCy document of one paper with every extension attribute set, for a closer look."""
    language = nlp or load()
    return next(iter(language.pipe(_documents(language, [paper]))))


def _documents(language: Language, papers: Iterable[Paper]) -> Iterator[Doc]:
    for paper in papers:
        source = clean(_readable(paper))
        doc = language.make_doc(source.text)
        doc._.source, doc._.paper = source, paper
        yield doc


def _readable(paper: Paper) -> str:
    """The text to read concepts from: of a withdrawn paper only the title."""
    return f"{paper.title or ''}\n" if paper.status == "withdrawn" else paper.text


@Language.factory("paperkg_code_links", assigns=["doc._.code_links"])
class CodeLinkFinder:
    """Sets `doc._.code_links`: the links of the paper's text as given, and the status of its code."""

    def __init__(self, nlp: Language, name: str) -> None:
        Doc.set_extension("source", default=_EMPTY, force=True)
        Doc.set_extension("paper", default=None, force=True)
        Doc.set_extension("code_links", default=None, force=True)

    def __call__(self, doc: Doc) -> Doc:
        paper: Paper = doc._.paper or Paper(abstract=doc.text)
        doc._.code_links = find_code_links(paper.text, code_urls=paper.code_urls)
        return doc
