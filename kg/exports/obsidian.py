"""An Obsidian vault: a folder with a note for each paper and each concept, linked both ways.

Notes lie in folders by type (`Papers`, `Methods`, …). A note's name is the name of its paper or concept
without what some system or a link forbids; names that are equal without case get the type, then a number,
whichever folder they lie in. Properties (YAML) hold id, name, aliases and details; the text lists every
relation with its sentences, score, and offsets in the paper.

Limits: authors, venues and code have no notes of their own; names and sentences are on one line; the
extraction records and the ledger stay behind.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from kg.exports.markdown_text import address, escape, one_line, place, words
from kg.lookup import CONCEPT_TYPES, Neighbour, display_name, neighbours
from kg.store import Graph, plain

__all__ = ["note_names", "write"]

_TYPES = ("Paper", *CONCEPT_TYPES)
_COLON = re.compile(" ?: ")
_MARKS = re.compile('[?"*]+')
_ILLEGAL = re.compile(r"[\\/:<>|#^\[\]]+")
#: What a link's label cannot hold.
_NO_LABEL = re.compile(r"[\[\]|<>`]+")
#: Names of devices, which Windows takes for no file, with whatever ending.
_DEVICE = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9¹²³])\s*(\.|$)", re.IGNORECASE)
#: What JSON leaves as it is and YAML forbids.
_NO_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_CHARACTERS, _BYTES = 100, 180
_FIELDS = ("title", "year", "venue", "doi", "arxiv_id", "url", "code_status", "source_ids", "papers")


def note_names(graph: Graph) -> dict[str, str]:
    """The name of each paper's and concept's note: legal everywhere, unique without case."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    tried: Counter[tuple[str, str]] = Counter()
    for node, data in graph.nodes.items():
        if data.get("type") not in _TYPES:
            continue
        base, kind = _legal(display_name(graph, node)), data["type"]
        name = base
        while _folded(name) in taken:
            tried[_folded(base), kind] += 1
            number = tried[_folded(base), kind]
            name = f"{base} ({kind} {number})" if number > 1 else f"{base} ({kind})"
        taken.add(_folded(name))
        names[node] = name
    return names


def _legal(name: str) -> str:
    text = _ILLEGAL.sub("-", _COLON.sub(" - ", _MARKS.sub("", one_line(name))))
    text = unicodedata.normalize("NFC", text)
    if len(text) > _CHARACTERS:
        text = text[:_CHARACTERS].rpartition(" ")[0] or text[:_CHARACTERS]
    text = text.encode()[:_BYTES].decode(errors="ignore").strip(". ")
    return f"{text}_" if not text or _DEVICE.match(text) else text


def _folded(name: str) -> str:
    """The name as systems compare that know no case and no difference of compatible characters."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def write(graph: Graph, path: Path) -> None:
    """Writes the notes into the folder `path`."""
    names = note_names(graph)
    for kind in _TYPES:
        (path / f"{kind}s").mkdir()
    for node, name in names.items():
        note = "\n".join(_note(graph, node, names))
        folder = path / f"{graph.nodes[node]['type']}s"
        (folder / f"{name}.md").write_text(note, encoding="utf-8", newline="\n")


def _note(graph: Graph, node: str, names: Mapping[str, str]) -> Iterator[str]:
    data = graph.nodes[node]
    around = neighbours(graph, node)
    people = [display_name(graph, item.id) for item in around.get(("AUTHORED", False), ())]
    yield from ("---", *_properties(graph, node, names[node], people), "---")
    yield from (f"# {escape(display_name(graph, node))}", "")
    if data.get("abstract"):
        yield from (f"> {escape(data['abstract'])}", "")
    for (relation, outgoing), found in around.items():
        if relation != "AUTHORED":
            yield from (f"## {words(relation, outgoing=outgoing).capitalize()}", "")
            for item in found:
                yield from _entry(graph, node, item, names)
            yield ""


def _properties(graph: Graph, node: str, name: str, authors: list[str]) -> Iterator[str]:
    """The YAML at the head of a note."""
    data = graph.nodes[node]
    shown = display_name(graph, node)
    aliases = [alias for alias in (shown, *(data.get("aliases") or ())) if alias != name]
    details = {key: data.get(key) for key in _FIELDS}
    head = {"id": node, "name": shown, "type": data["type"], "aliases": aliases, "authors": authors}
    for key, value in {**head, **details, "tags": [data["type"].lower()]}.items():
        if value is not None and value != []:
            yield f"{key}: {_yaml(value)}"


def _yaml(value: Any) -> str:
    """The value as JSON, which YAML reads, with the characters escaped that only YAML forbids."""
    written = orjson.dumps(plain(value)).decode()
    return _NO_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", written)


def _entry(graph: Graph, node: str, item: Neighbour, names: Mapping[str, str]) -> Iterator[str]:
    """One relation: a link to its other end, and the sentences that say so."""
    yield f"- {_link(graph, item.id, names)}"
    for piece in item.evidence:
        where = [place(piece), f"score {escape(piece.get('score'))}"]
        if piece.get("paper") not in (node, item.id):
            where.insert(0, _link(graph, str(piece.get("paper")), names))
        sentence = f"“{escape(piece['sentence'])}” " if piece.get("sentence") else ""
        yield f"    - {sentence}({_joined(where)})"


def _joined(parts: Iterable[str]) -> str:
    return ", ".join(filter(None, parts))


def _link(graph: Graph, node: str, names: Mapping[str, str]) -> str:
    """A link to a note; what has none is an address or a text."""
    if node not in graph:
        return escape(node)
    shown = display_name(graph, node)
    if node not in names:
        return address(shown)
    label = _NO_LABEL.sub(" ", one_line(shown)).strip()
    return f"[[{names[node]}]]" if label in ("", names[node]) else f"[[{names[node]}|{label}]]"
