"""The command line over a quick stand-in for the extractor: `python -m tests.cli.fake build …`.

Every word with a capital inside ("UPGNET", "ResNet") is a method that the paper uses; a paper whose abstract
is "interrupt", "signal" (a real Ctrl-C) or "fail" does that.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterable, Iterator
from types import SimpleNamespace

from kg.schema import Concept, ConceptType, Extraction, Mention, Paper, Role

__all__ = ["pipeline"]

_NAME = re.compile(r"\b[A-Z]\w*[A-Z]\w*")


def _extract(papers: Iterable[Paper]) -> Iterator[Extraction]:
    for paper in papers:
        if paper.abstract == "interrupt":
            raise KeyboardInterrupt
        if paper.abstract == "signal":
            os.kill(os.getpid(), signal.SIGINT)
        if paper.abstract == "fail":
            raise ZeroDivisionError("of the extractor")
        yield _read(paper)


def _read(paper: Paper) -> Extraction:
    found = list(_NAME.finditer(paper.text))
    whole = (0.8, 0, len(paper.text))
    return Extraction(
        id=paper.record_id,
        title=paper.title,
        text=paper.text,
        sentences=((0, len(paper.text)),),
        mentions=tuple(Mention(m.start(), m.end(), m[0], ConceptType.METHOD, 0.9) for m in found),
        concepts=tuple(
            Concept(name=m[0], type=ConceptType.METHOD, score=0.9, mentions=(i,), roles={Role.USES: whole})
            for i, m in enumerate(found)
        ),
        extractor="fake",
    )


#: In place of the module `extractors.pipeline`.
pipeline = SimpleNamespace(extract=_extract)


if __name__ == "__main__":
    import extractors
    from kg.cli import main

    vars(extractors)["pipeline"] = pipeline
    main(prog_name="kg")
