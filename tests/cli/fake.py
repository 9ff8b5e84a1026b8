"""The command line over a quick stand-in for the extractor: `python -m tests.cli.fake build …`.

Every word with a capital inside ("UPGNET", "ResNet") is a method that the paper uses; a paper whose abstract
is "interrupt", "signal" (a real Ctrl-C), "fail" or "die" (the process ends) does that. Each paper takes as
many seconds as the environment variable FAKE_SECONDS says.
"""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterable, Iterator
from types import SimpleNamespace

from kg.schema import Concept, ConceptType, Extraction, Mention, Paper, Role

__all__ = ["extractor_version", "pipeline"]

_NAME = re.compile(r"\b[A-Z]\w*[A-Z]\w*")


def _extract(papers: Iterable[Paper]) -> Iterator[Extraction]:
    for paper in papers:
        time.sleep(float(os.environ.get("FAKE_SECONDS", "0")))
        if paper.abstract == "interrupt":
            raise KeyboardInterrupt
        if paper.abstract == "signal":
            os.kill(os.getpid(), signal.SIGINT)
        if paper.abstract == "fail":
            raise ZeroDivisionError("of the extractor")
        if paper.abstract == "die":
            os._exit(70)
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


def extractor_version() -> str:
    """In place of `extractors.version.extractor_version`."""
    return "fake"


#: In place of the module `extractors.pipeline`.
pipeline = SimpleNamespace(extract=_extract)


if __name__ in {"__main__", "__mp_main__"}:  # workers have it, too
    import extractors
    from extractors import version

    vars(extractors)["pipeline"] = pipeline
    vars(version)["extractor_version"] = extractor_version

if __name__ == "__main__":
    # Where the tests run in the background Ctrl-C is ignored, and children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from kg.cli import main

    main(prog_name="kg")
