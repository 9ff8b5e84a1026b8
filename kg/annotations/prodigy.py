"""Tasks of Prodigy (https://prodi.gy): JSON Lines of `text` and `spans`, for `ner.manual` and `rel.manual`.

What Prodigy has no place for (roles, aliases, code) stands in a field of its own, `annotation`, which Prodigy
hands through. Relations are taken from there and from Prodigy's own `relations`, whose label is one of ours
or `alias`. Tasks that were rejected or ignored are left out and counted in a warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from kg.annotations.base import Annotations, Span, annotated, canonical, spans_of, surface
from kg.annotations.json_lines import write_lines
from kg.gold import AnnotatedPaper, Annotation, concept_type
from kg.readers.json_lines import load
from kg.readers.source import open_source
from kg.schema import Rejected

__all__ = ["read", "write"]

_NOT_TAKEN = ("reject", "ignore")
_ALIAS = "alias"


def write(papers: Sequence[AnnotatedPaper], path: Path) -> None:
    """Writes one task a paper; raises ExportError."""
    write_lines(path, (_task(canonical(item)) for item in papers))


def _task(item: AnnotatedPaper) -> dict[str, Any]:
    kept = item.gold.to_record()
    return {
        "text": item.text,
        "meta": {"id": kept.pop("id")},
        "spans": [{"start": start, "end": end, "label": kind.value} for start, end, kind in spans_of(item)],
        "annotation": {name: value for name, value in kept.items() if name != "entities"},
    }


def read(path: Path) -> Annotations:
    """Reads what Prodigy's `db-out` gives; raises InputError where the file cannot be read at all."""
    source, _ = open_source(path)
    result = Annotations()
    left = 0
    for number, line in source.numbered():
        try:
            task = load(line)
            if isinstance(task, dict) and task.get("answer") in _NOT_TAKEN:
                left += 1
                continue
            item, doubts = _annotated(task, number)
        except orjson.JSONDecodeError as error:
            result.rejected.append(Rejected(source.name, number, f"not JSON: {error.msg}"))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            result.rejected.append(Rejected(source.name, number, f"no task of Prodigy: {error}"))
        else:
            result.papers.append(item)
            result.warnings += doubts
    if left:
        result.warnings.append(f"{source.name}: {left:,} tasks that were rejected or ignored are left out")
    return result


def _annotated(task: Mapping[str, Any], number: int) -> tuple[AnnotatedPaper, list[str]]:
    text = task["text"]
    identity = task.get("meta", {}).get("id") or task.get("id") or f"task-{number}"
    kept = Annotation.from_record({"entities": [], **task.get("annotation", {}), "id": identity})
    drawn = Annotation.from_record({"entities": [], **_drawn(task, text), "id": identity})
    gold = replace(kept, aliases=kept.aliases + drawn.aliases, relations=kept.relations + drawn.relations)
    return annotated(text, _spans(task), gold)


def _spans(task: Mapping[str, Any]) -> Iterator[Span]:
    for span in task.get("spans", ()):
        yield span["start"], span["end"], concept_type(span["label"])


def _drawn(task: Mapping[str, Any], text: str) -> dict[str, list[list[str]]]:
    """Aliases and relations that were drawn in Prodigy."""
    found: dict[str, list[list[str]]] = {"aliases": [], "relations": []}
    for drawn in task.get("relations", ()):
        spans = (drawn[name] for name in ("head_span", "child_span"))
        head, tail = (surface(text, span["start"], span["end"]) for span in spans)
        if drawn["label"].lower() == _ALIAS:
            found["aliases"].append([head, tail])
        else:
            found["relations"].append([head, drawn["label"], tail])
    return found
