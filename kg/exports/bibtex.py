"""BibTeX of the papers, for JabRef, Zotero and LaTeX: keywords are the names of their concepts.

One entry a paper: `@article` where the venue is known, else `@misc`; the key is the paper's id. `code` holds
the addresses of its code, `evidence` a line for each sentence: relation, score, offsets, sentence.

Special characters are written as LaTeX commands, which bibtexparser's `LatexDecodingMiddleware` turns back
(it takes `^` for U+02C6); a formula between dollar signs stays a formula; other scripts stay as they are.

Limits: runs of white space become one space, and control characters go; concepts and relations are there
only as words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kg.errors import GraphFileError
from kg.lookup import CONCEPT_TYPES, display_name
from kg.records import records
from kg.store import Graph, plain

__all__ = ["encode", "write"]

_COMMANDS = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    **{sign: f"\\{sign}" for sign in "#$%&_"},
}
_SPECIAL = re.compile(r"[\\^~#$%&_{}]")
_FORMULA = re.compile(r"\$(?! )(?:\\[A-Za-z]+|[A-Za-z0-9 ^_{}+*/=.,:;()<>|'-])+(?<! )\$(?!\d)")
_LIGATURE = re.compile(r"`(?=`)|'(?=')|-(?=-)|[!?](?=`)")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
_NO_KEY = re.compile(r"[^A-Za-z0-9.:/+-]+")
_AND = re.compile(r"\band\b", re.IGNORECASE)
_IN_ADDRESS = ":/?#@!$&'()*+,;=%-._~[]"


def encode(text: str) -> str:
    r"""The text on one line, its special characters as LaTeX commands.

    >>> encode("R&D of $x^2$: 50%\n{a} C:\\b")
    'R\\&D of $x^2$: 50\\% \\{a\\} C:\\textbackslash{}b'
    """
    line = " ".join(_CONTROL.sub(" ", plain(text)).split())
    pieces, end = [], 0
    for match in _FORMULA.finditer(line):
        if _is_balanced(match[0]) and r"\begin" not in match[0] and r"\end" not in match[0]:
            pieces += [_escaped(line[end : match.start()]), match[0]]
            end = match.end()
    return "".join([*pieces, _escaped(line[end:])])


def _escaped(text: str) -> str:
    """Braces as `\\{` where they are balanced, since BibTeX counts those too, else by their names."""
    braces = ("\\{", "\\}") if _is_balanced(text) else (r"\ensuremath{\lbrace}", r"\ensuremath{\rbrace}")
    commands = {**_COMMANDS, "{": braces[0], "}": braces[1]}
    return _LIGATURE.sub(r"\g<0>{}", _SPECIAL.sub(lambda match: commands[match[0]], text))


def _is_balanced(text: str) -> bool:
    depth = 0
    for sign in re.findall("[{}]", text):
        depth += 1 if sign == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def write(graph: Graph, path: Path) -> None:
    """Writes the papers to the file `path`."""
    papers = [node for node, data in graph.nodes.items() if data.get("type") == "Paper"]
    authors, evidence = _authors(graph), _evidence(graph)
    keys = _keys(papers)
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        for paper in papers:
            fields = _fields(graph, paper, authors.get(paper, ()), evidence.get(paper, ()))
            kind = "article" if graph.nodes[paper].get("venue") else "misc"
            stream.write(f"@{kind}{{{keys[paper]},\n")
            stream.writelines(f"  {name} = {{{value}}},\n" for name, value in fields if value)
            stream.write("}\n\n")


def _keys(papers: Iterable[str]) -> dict[str, str]:
    keys: dict[str, str] = {}
    taken: set[str] = set()
    for paper in papers:
        base = key = _NO_KEY.sub("-", paper.removeprefix("paper:"))
        number = 2
        while key.casefold() in taken:
            key, number = f"{base}-{number}", number + 1
        taken.add(key.casefold())
        keys[paper] = key
    return keys


def _authors(graph: Graph) -> dict[str, list[str]]:
    """The authors of each paper: in their order where the graph holds it, else by name."""
    found: dict[str, list[str]] = {}
    for source, paper, relation in graph.edges(keys=True):
        if relation == "AUTHORED":
            found.setdefault(paper, []).append(display_name(graph, source))
    try:
        papers, _ = records(graph)
    except GraphFileError:  # the graph comes from a format without records
        return found
    return found | {paper.id: list(paper.authors) for paper in papers if paper.authors}


def _fields(
    graph: Graph, paper: str, authors: Iterable[str], evidence: Iterable[str]
) -> Iterator[tuple[str, str]]:
    data = graph.nodes[paper]
    titles = (data.get("title"), data.get("label"), data.get("name"), paper)
    yield "title", next(filter(None, (encode(str(title or "")) for title in titles)), "")
    yield "author", " and ".join(map(_person, authors))
    yield "year", encode(str(data.get("year") or ""))
    yield "journal", encode(str(data.get("venue") or ""))
    for name in ("doi", "url"):
        yield name, _address(data.get(name))
    if data.get("arxiv_id"):
        yield "eprint", _address(data["arxiv_id"])
        yield "archiveprefix", "arXiv"
    yield (
        "code",
        " ".join(_address(graph.nodes[node].get("url")) for node in _targets(graph, paper, "HAS_CODE")),
    )
    yield "keywords", ", ".join(map(_keyword, _concepts(graph, paper)))
    yield "abstract", encode(str(data.get("abstract") or ""))
    yield "evidence", "\n    ".join(evidence)


def _person(name: str) -> str:
    """A name; in braces where BibTeX would take it for two."""
    encoded = encode(name)
    return f"{{{encoded}}}" if _AND.search(encoded) else encoded


def _address(value: Any) -> str:
    """An address as it is, since commands mean nothing in it, but for what BibTeX would trip over."""
    return quote(plain(str(value or "")), safe=_IN_ADDRESS)


def _keyword(name: str) -> str:
    encoded = encode(name)
    return f"{{{encoded}}}" if "," in encoded else encoded


def _targets(graph: Graph, paper: str, relation: str) -> list[str]:
    return sorted(target for _, target, key in graph.out_edges(paper, keys=True) if key == relation)


def _concepts(graph: Graph, paper: str) -> list[str]:
    """The names of the concepts of a paper."""
    nodes = {
        target for _, target in graph.out_edges(paper) if graph.nodes[target].get("type") in CONCEPT_TYPES
    }
    return sorted({display_name(graph, node) for node in nodes})


def _evidence(graph: Graph) -> dict[str, list[str]]:
    """What each paper says, one line a piece of evidence."""
    found: dict[str, list[str]] = {}
    for source, target, relation, data in graph.edges(keys=True, data=True):
        for item in data.get("evidence") or ():
            head = "" if source == item.get("paper") else f"{display_name(graph, source)} "
            said = f"{head}{relation} {display_name(graph, target)}"
            line = encode(f"{said} ({_place(item)}): {item.get('sentence') or ''}")
            found.setdefault(str(item.get("paper")), []).append(line)
    return found


def _place(item: Mapping[str, Any]) -> str:
    offsets = "" if item.get("start") is None else f", {item['start']}-{item['end']}"
    return f"{item.get('score')}{offsets}"
