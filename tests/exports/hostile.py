"""Names and sentences as an enemy writes them."""

from __future__ import annotations

import networkx as nx
from hypothesis import strategies

from kg.store import Graph

INJECTION = "We propose `Net`) DETACH DELETE n // and O'Reilly\\' \"}) MATCH (n) DETACH DELETE n;//"

NAMES = (
    "O'Reilly\\",
    "\\u0027) DETACH DELETE n //",
    "\\\\u0027",
    "``) //",
    INJECTION,
    "Lasso; ridge &rarr; elastic net",
    'first line\n\nsecond "line" ',
    "a\r\nb\rc\u2028d",
    "tab\there",
    "*/ /* // ; $x {a: 1} :begin",
    "A<B \"strong\" & 'weak' <a href=x>here</a> ]]>",
    '=HYPERLINK("http://evil.example","x")',
    "-0.5; @home; +1",
    "'=quoted",
    "网络 \U0001f600 e\u0301",
    'Roe "R-Net" 3.0 <beta> {v^2} | C++ 网络.',
    "{unbalanced \\} %comment $x_1^2$ ~#&",
    "[[link]] | `code` *bold* _it_ # head",
    " padded ",
    "None",
    "1",
    "64 kB " + "é'\\" * 21_844,
)

#: Any text that has no half surrogate pairs, controls and all.
texts = strategies.text(
    strategies.characters(codec="utf-8") | strategies.sampled_from("'\"\\`;|,\n\r\t\x00{}[]<>&=+-@"),
    max_size=40,
)


def named(*names: str) -> Graph:
    """A paper for each name that proposes a method of that name, with the name as its evidence."""
    graph: Graph = nx.MultiDiGraph(format=1, merges=[])
    for number, name in enumerate(names):
        paper, method = f"paper:{number}", f"method:{number}"
        graph.add_node(paper, type="Paper", name=name, label=name, title=name, abstract=name, year=2024)
        graph.add_node(method, type="Method", name=name, aliases=[f"{name}s", "x;y"], papers=1)
        shown = {
            "paper": paper,
            "sentence": name,
            "start": 0,
            "end": len(name),
            "score": 0.5,
            "extractor": "t",
        }
        attributes = {"type": "PROPOSES", "papers": 1, "score": 0.5, "evidence": [shown]}
        graph.add_edge(paper, method, "PROPOSES", **attributes)
    return graph
