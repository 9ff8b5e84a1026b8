"""spaCy's binary documents (`DocBin`, https://spacy.io/api/docbin), as `spacy train` takes them.

Mentions are `doc.ents`; the rest of the annotation is `doc.user_data["paperkg"]`. Tokens are those of the
extractor, parted also where a mention begins or ends, so that every mention can be marked; spaCy aligns them
with those of the pipeline that is trained. This is the only module outside `extractors` that loads spaCy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from kg.annotations.base import Annotations, Span, annotated, canonical, spans_of
from kg.errors import InputError
from kg.files import atomic_path
from kg.gold import AnnotatedPaper, Annotation, concept_type
from kg.schema import Rejected
from kg.store import no_collection, plain

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = ["read", "write"]

_KEY = "paperkg"


def write(papers: Sequence[AnnotatedPaper], path: Path) -> None:
    """Writes one document a paper, in their order; raises ExportError."""
    from spacy.tokens import DocBin

    nlp = _language()
    docs = [_document(nlp, canonical(item)) for item in papers]
    with atomic_path(path) as part:
        part.write_bytes(DocBin(docs=docs, store_user_data=True).to_bytes())


@lru_cache(maxsize=1)
def _language() -> Language:
    from extractors.tokens import bare_language

    return bare_language()


def _document(nlp: Language, item: AnnotatedPaper) -> Doc:
    from spacy.tokens import Doc

    text, spans = str(plain(item.text)), spans_of(item)
    borders = sorted({offset for start, end, _ in spans for offset in (start, end)})
    pieces = list(_pieces(nlp.make_doc(text), borders))
    doc = Doc(nlp.vocab, words=[word for word, _ in pieces], spaces=[space for _, space in pieces])
    marked = [doc.char_span(start, end, label=kind.value) for start, end, kind in spans]
    doc.set_ents([span for span in marked if span is not None])
    kept: dict[str, Any] = item.gold.to_record()
    doc.user_data[_KEY] = {name: value for name, value in kept.items() if name != "entities"}
    return doc


def _pieces(doc: Doc, borders: Sequence[int]) -> Iterator[tuple[str, bool]]:
    """The tokens, cut at the borders inside them, each with whether a space follows."""
    text = doc.text  # spaCy joins it anew at each asking
    upcoming = iter([*borders, len(text) + 1])
    border = next(upcoming)
    for token in doc:
        start, stop = token.idx, token.idx + len(token)
        while border < stop:
            if border > start:
                yield text[start:border], False
                start = border
            border = next(upcoming)
        yield text[start:stop], bool(token.whitespace_)


def read(path: Path) -> Annotations:
    """Reads documents; those that carry no id are called after their number.

    Raises:
        InputError: the file is no DocBin.
    """
    result = Annotations()
    for number, doc in enumerate(_documents(path), 1):
        try:
            item, doubts = _annotated(doc, number)
        except (ValueError, TypeError, AttributeError) as error:
            result.rejected.append(Rejected(str(path), None, f"document {number}: {error}"))
        else:
            result.papers.append(item)
            result.warnings += doubts
    return result


def _documents(path: Path) -> list[Doc]:
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    try:
        with no_collection():  # which srsly pauses, too, and leaves so where the bytes are damaged
            return list(DocBin().from_bytes(path.read_bytes()).get_docs(Vocab()))
    except Exception as error:  # zlib, msgpack and numpy each have errors of their own
        raise InputError(
            f"{path}: no DocBin ({error})", hint="Take what spaCy's DocBin.to_disk wrote."
        ) from error


def _annotated(doc: Doc, number: int) -> tuple[AnnotatedPaper, list[str]]:
    kept = doc.user_data.get(_KEY, {"id": f"document-{number}"})
    kept = orjson.loads(orjson.dumps(kept))  # spaCy gives lists back as tuples
    return annotated(doc.text, _spans(doc), Annotation.from_record({**kept, "entities": []}))


def _spans(doc: Doc) -> Iterator[Span]:
    for span in doc.ents:
        yield span.start_char, span.end_char, concept_type(span.label_)
