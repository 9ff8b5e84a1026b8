"""A report in Markdown: tasks with their methods, datasets, metrics and code, and the sentences that say so.

After the tasks every paper has its number, its details and all its evidence in a table; then every relation
between concepts has its own. Numbers in brackets are those of papers. Names and sentences are on one line.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from kg.exports.markdown_text import address, escape, place, table, words
from kg.lookup import CONCEPT_TYPES, display_name, statistics
from kg.store import Graph

__all__ = ["report", "write"]

_Evidence: TypeAlias = "Mapping[str, Any]"

#: Relation of a paper (or a method) -> what its concept has to do with the task, by the type of the concept.
_TABLES: Mapping[str, Mapping[str, str]] = {
    "Method": {
        "PROPOSES": "proposed",
        "USES": "used",
        "COMPARES_WITH": "compared",
        "USED_FOR": "for the task",
    },
    "Dataset": {"EVALUATES_ON": "evaluated", "PROPOSES": "proposed", "EVALUATED_ON": "for the task"},
    "Metric": {"MEASURES": "measured", "PROPOSES": "proposed", "MEASURED_BY": "for the task"},
}
_COLUMNS = ("Score", "Offsets", "Sentence")


class _Edge(NamedTuple):
    source: str
    relation: str
    target: str
    evidence: Sequence[_Evidence]


def write(graph: Graph, path: Path) -> None:
    """Writes the whole report to the file `path`."""
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(report(graph))


def report(graph: Graph, *, limit: int | None = None, rows: int | None = None) -> Iterator[str]:
    """The lines of the report.

    Args:
        graph: the graph.
        limit: only so many tasks, those of the most papers, and the papers that address them.
        rows: only so many rows in each table of a task, those of the most papers.
    """
    return (f"{line}\n" for line in _Report(graph, limit, rows).lines())


class _Report:
    """The graph by its nodes, and what of it is shown."""

    def __init__(self, graph: Graph, limit: int | None, rows: int | None) -> None:
        self._graph = graph
        self._rows = rows
        self._out: dict[str, list[_Edge]] = defaultdict(list)
        self._in: dict[str, list[_Edge]] = defaultdict(list)
        for source, target, relation, data in graph.edges(keys=True, data=True):
            edge = _Edge(source, str(relation), target, data.get("evidence") or ())
            self._out[source].append(edge)
            self._in[target].append(edge)
        tasks = [node for node in graph if self._type(node) == "Task"]
        self._tasks = sorted(tasks, key=lambda node: (-len(self._addressing(node)), node))[:limit]
        shown = {paper for task in self._tasks for paper in self._addressing(task)}
        papers = [node for node in graph if self._type(node) == "Paper" and (limit is None or node in shown)]
        self._numbers = {paper: number for number, paper in enumerate(papers, 1)}

    def _type(self, node: str) -> str:
        return str(self._graph.nodes[node].get("type"))

    def _name(self, node: str) -> str:
        return escape(display_name(self._graph, node))

    def _addressing(self, task: str) -> list[str]:
        """The papers that address a task."""
        return [edge.source for edge in self._in[task] if edge.relation == "ADDRESSES"]

    def lines(self) -> Iterator[str]:
        """Everything."""
        yield from ("# Papers and concepts", "", *self._counts(), "## Tasks", "")
        for task in self._tasks:
            yield from self._task(task)
        yield from ("## Papers", "")
        for paper in self._numbers:
            yield from self._paper(paper)
        yield from ("## Relations between concepts", "")
        columns = ("Concept", "Relation", "Concept", "Paper", *_COLUMNS)
        yield from table(columns, self._between_concepts())

    def _counts(self) -> list[str]:
        counts = statistics(self._graph, top=0)
        rows = [("Paper", counts.papers), *counts.concepts.items(), *counts.others.items()]
        return table(("Nodes", "Number"), [(kind, f"{number:,}") for kind, number in rows])

    def _task(self, task: str) -> Iterator[str]:
        """A task: the papers that address it, and what they bring to it."""
        data, papers = self._graph.nodes[task], self._addressing(task)
        also = "; ".join(map(escape, data.get("aliases") or ()))
        number = f"{len(papers)} paper{'' if len(papers) == 1 else 's'}"
        yield from (f"### {self._name(task)}", "", f"{number}{f'. Also: {also}' if also else ''}", "")
        for kind, relations in _TABLES.items():
            found = self._brought(task, papers, kind, relations)
            if found:
                yield from table(
                    (kind, "Papers say", "Code", "Sentence"), self._first(self._concept_rows(found))
                )
        yield from table(("Paper", "Year", "Code", "Sentence"), self._first(self._paper_rows(task)))

    def _first(self, rows: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """The rows that are shown, and how many more there are."""
        found = list(rows)
        shown = found[: self._rows]
        more = len(found) - len(shown)
        return [*shown, (f"… and {more:,} more", "", "", "")] if more else shown

    def _brought(
        self, task: str, papers: Iterable[str], kind: str, relations: Mapping[str, str]
    ) -> dict[str, list[tuple[str, _Evidence]]]:
        """Concepts of a type that belong to a task: each with what papers say of it, and where."""
        edges = [edge for paper in papers for edge in self._out[paper]]
        ends = [(edge.target, edge) for edge in edges]
        ends += [(edge.source, edge) for edge in self._in[task]] + [
            (edge.target, edge) for edge in self._out[task]
        ]
        found: dict[str, list[tuple[str, _Evidence]]] = defaultdict(list)
        for concept, edge in ends:
            if edge.relation in relations and self._type(concept) == kind:
                found[concept] += [(relations[edge.relation], item) for item in edge.evidence]
        return found

    def _concept_rows(
        self, found: Mapping[str, Sequence[tuple[str, _Evidence]]]
    ) -> Iterator[tuple[str, ...]]:
        """The concepts of the most papers first."""
        papers = {concept: {item.get("paper") for _, item in said} for concept, said in found.items()}
        for concept in sorted(found, key=lambda concept: (-len(papers[concept]), concept)):
            how = Counter(
                how for how, _ in dict.fromkeys((how, item.get("paper")) for how, item in found[concept])
            )
            told = ", ".join(f"{how} ({number})" for how, number in how.most_common())
            best = self._best(item for _, item in found[concept])
            yield self._name(concept), told, self._code(concept, "IMPLEMENTED_IN"), best

    def _paper_rows(self, task: str) -> Iterator[tuple[str, ...]]:
        for edge in self._in[task]:
            if edge.relation == "ADDRESSES":
                paper, year = edge.source, self._graph.nodes[edge.source].get("year")
                name = f"{self._cited(paper)} {self._name(paper)}"
                yield name, escape(year or ""), self._code(paper, "HAS_CODE"), self._best(edge.evidence)

    def _code(self, node: str, relation: str) -> str:
        """Links to the code of a paper or a method."""
        repositories = [
            self._graph.nodes[edge.target] for edge in self._out[node] if edge.relation == relation
        ]
        return "<br>".join(address(data.get("url") or "", data.get("name")) for data in repositories)

    def _best(self, evidence: Iterable[_Evidence]) -> str:
        """The sentence with the highest score, and where it stands."""
        items = [item for item in evidence if item.get("sentence")]
        if not items:
            return ""
        best = max(items, key=lambda item: item.get("score") or 0)
        where = ", ".join(filter(None, (place(best), f"score {best.get('score')}")))
        return f"“{escape(best['sentence'])}” {self._cited(best.get('paper'))} ({where})"

    def _cited(self, paper: Any) -> str:
        """The number of a paper that is shown, the name of another."""
        if paper in self._numbers:
            return f"[[{self._numbers[paper]}](#paper-{self._numbers[paper]})]"
        return self._name(paper) if paper in self._graph else escape(paper or "")

    def _paper(self, paper: str) -> Iterator[str]:
        """A paper: its details and everything that it says."""
        number, data = self._numbers[paper], self._graph.nodes[paper]
        authors = [self._name(edge.source) for edge in self._in[paper] if edge.relation == "AUTHORED"]
        doi, arxiv = data.get("doi"), data.get("arxiv_id")
        details = (
            ", ".join(authors),
            *(escape(data.get(name) or "") for name in ("year", "venue")),
            address(f"https://doi.org/{doi}", doi) if doi else "",
            address(f"https://arxiv.org/abs/{arxiv}", f"arXiv:{arxiv}") if arxiv else "",
            address(data.get("url") or ""),
        )
        yield from (f'### <a id="paper-{number}"></a>{number}. {self._name(paper)}', "")
        if told := ". ".join(filter(None, details)):
            yield from (told, "")
        yield from table(("Relation", "Concept", *_COLUMNS), self._said(paper))

    def _said(self, paper: str) -> Iterator[tuple[str, ...]]:
        for edge in self._out[paper]:
            for item in edge.evidence:
                yield words(edge.relation), self._name(edge.target), *_cells(item)

    def _between_concepts(self) -> Iterator[tuple[str, ...]]:
        for source, edges in self._out.items():
            for edge in edges if self._type(source) in CONCEPT_TYPES else ():
                for item in edge.evidence:
                    if item.get("paper") in self._numbers:
                        ends = self._name(source), words(edge.relation), self._name(edge.target)
                        yield *ends, self._cited(item["paper"]), *_cells(item)


def _cells(item: _Evidence) -> tuple[str, str, str]:
    return escape(item.get("score")), place(item), escape(item.get("sentence") or "")
