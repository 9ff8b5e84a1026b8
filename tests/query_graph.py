"""A graph by hand in which every query that comes along finds something with its example values."""

from __future__ import annotations

from collections.abc import Iterable

import networkx as nx

from kg.store import Graph
from tests.graphs import evidence

_CONCEPTS = {
    "Method": "BERT|Transformer|LSTM|ResNet|R-CNN|Mask R-CNN|self-attention|encoder",
    "Task": "machine translation|question answering|object detection|image classification|parsing",
    "Dataset": "COCO|ImageNet|SQuAD|WMT|GLUE",
    "Metric": "BLEU|F1|accuracy|mAP",
    "Term": "attention|parsing",
}
#: id, title, year, venue, authors, code status, then what it proposes, uses, … by relation.
_PAPERS = (
    ("arxiv:1706.03762", "Attention", 2017, "NeurIPS", ("Ann Roe", "Bo Li"), "linked"),
    ("arxiv:1810.04805", "Bidirectional Encoders", 2018, "NAACL", ("Ann Roe", "Bo Li"), "linked"),
    ("sha1:a", "Masks", 2018, "ICCV", ("Cy Orr", "Bo Li"), "promised"),
    ("sha1:b", "Regions", 2015, "ICCV", ("Cy Orr",), "linked"),
    ("sha1:c", "Residues", 2016, "CVPR", ("Di Ek", "Cy Orr"), "none"),
    ("sha1:d", "Parsing", 2019, "ACL", ("Ann Roe",), "none"),
)
_DONE = {
    "PROPOSES": "0 method transformer|1 method bert|2 method mask-r-cnn|3 method r-cnn|4 method resnet|"
    "1 dataset glue",
    "USES": "0 method self-attention|0 method encoder|1 method transformer|1 method encoder|"
    "2 method resnet|2 method r-cnn|3 method resnet|5 method bert|5 method lstm",
    "COMPARES_WITH": "0 method lstm|1 method lstm",
    "ADDRESSES": "0 task machine-translation|1 task question-answering|2 task object-detection|"
    "3 task object-detection|4 task image-classification|4 task object-detection|5 task parsing",
    "EVALUATES_ON": "0 dataset wmt|1 dataset squad|1 dataset glue|2 dataset coco|3 dataset coco|"
    "4 dataset imagenet|4 dataset coco",
    "MEASURES": "0 metric bleu|1 metric f1|2 metric map|4 metric accuracy|3 metric map",
    "MENTIONS": "0 term attention|1 term attention|5 term parsing|2 method self-attention",
}
_STATED = {
    "USED_FOR": "method:bert task:question-answering 0.9|method:transformer task:machine-translation 0.4|"
    "method:bert task:image-classification 0.3",
    "IS_A": "method:bert method:encoder 0.8|method:encoder method:transformer 0.6",
    "PART_OF": "method:self-attention method:transformer 0.9|method:transformer method:bert 0.7",
    "IMPROVES": "method:bert method:transformer 0.9|method:mask-r-cnn method:r-cnn 0.7",
    "COMPARED_WITH": "method:bert method:lstm 0.6|method:r-cnn method:resnet 0.45",
    "EVALUATED_ON": "method:mask-r-cnn dataset:coco 0.9|method:resnet dataset:imagenet 0.8",
    "MEASURED_BY": "dataset:coco metric:map 0.8",
    "TRAINED_ON": "method:resnet dataset:imagenet 0.7",
}


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-")


def query_graph() -> Graph:
    """Six papers and what they say."""
    graph: Graph = nx.MultiDiGraph(format=1)
    for kind, names in _CONCEPTS.items():
        for name in names.split("|"):
            papers = 1 + len(name) % 3
            aliases = [f"{name}s"] if len(name) > 4 else []
            graph.add_node(
                f"{kind.lower()}:{_slug(name)}", type=kind, name=name, aliases=aliases, papers=papers
            )
    for number, paper in enumerate(_PAPERS):
        _add_paper(graph, number, *paper)
    for relation, lines in _DONE.items():
        for line in lines.split("|"):
            at, kind, slug = line.split()
            source = f"paper:{_PAPERS[int(at)][0]}"
            shown = [evidence(source, f"Here {slug} is {relation.lower()}.", score=0.75)]
            _add(graph, source, f"{kind}:{slug}", relation, shown)
    for relation, lines in _STATED.items():
        for line in lines.split("|"):
            head, tail, score = line.split()
            stated_by = f"paper:{_PAPERS[len(head) % len(_PAPERS)][0]}"
            shown = [evidence(stated_by, f"{head} {relation.lower()} {tail}.", score=float(score))]
            _add(graph, head, tail, relation, shown)
    return graph


def _add(graph: Graph, source: str, target: str, relation: str, shown: list[dict[str, object]]) -> None:
    assert source in graph
    assert target in graph, target
    best = max(item["score"] for item in shown)  # type: ignore[type-var]
    graph.add_edge(source, target, relation, type=relation, papers=1, score=best, evidence=shown)


def _add_paper(
    graph: Graph, number: int, key: str, title: str, year: int, venue: str, authors: Iterable[str], code: str
) -> None:
    paper = f"paper:{key}"
    common = {"type": "Paper", "name": title, "label": title, "title": title, "abstract": f"{title}."}
    graph.add_node(paper, **common, year=year, venue=venue, code_status=code, source_ids=[str(number)])
    graph.add_node(f"venue:{_slug(venue)}", type="Venue", name=venue)
    graph.add_edge(paper, f"venue:{_slug(venue)}", "PUBLISHED_IN", type="PUBLISHED_IN")
    for author in authors:
        graph.add_node(f"author:{_slug(author)}", type="Author", name=author)
        graph.add_edge(f"author:{_slug(author)}", paper, "AUTHORED", type="AUTHORED")
    if code == "linked":
        url = f"https://github.com/lab/{'shared' if number < 2 else 'own'}"
        repository = url.replace("https://", "repository:")
        graph.add_node(
            repository, type="Repository", name=url.rsplit("/")[-1], url=url, host="github.com", owner="lab"
        )
        graph.add_edge(paper, repository, "HAS_CODE", type="HAS_CODE", role="official", evidence=[])
