"""Tests of the page as a file: what is in it, for whatever graph; the cases of hostile and odd input."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from kg.errors import NotFoundError
from kg.store import Graph
from tests.graphs import UPG, small_graph
from tests.viz.conftest import page_data
from viz import view
from viz.page import embed

HOSTILE = "We release <script>-safe Net</script><script>alert(1)</script> and <!--note-->.\u2028"


def test_the_same_graph_gives_the_same_bytes() -> None:
    turned: Graph = nx.MultiDiGraph(format=1)
    turned.add_nodes_from(reversed(list(small_graph().nodes(data=True))))
    for source, target, key, data in reversed([*small_graph().edges(keys=True, data=True)]):
        turned.add_edge(source, target, key, **data)
    assert view(turned, community=True).html == view(small_graph(), community=True).html


def test_the_policy_allows_exactly_what_is_in_the_page() -> None:
    html = view(small_graph()).html
    blocks = re.findall(r"<(script|style)>(.*?)</\1>", html, re.DOTALL)
    digests = {hashlib.sha256(text.encode()).digest() for _, text in blocks}
    policy = re.search(r'Content-Security-Policy" content="(.+?)"', html)
    assert policy is not None
    assert policy[1].startswith("default-src &#39;none&#39;; script-src ")
    assert policy[1].count("sha256-") == len(digests) == 3
    assert "unsafe" not in policy[1]


def test_the_licence_of_vis_network_is_kept_and_no_address_is_loaded() -> None:
    html = view(small_graph()).html
    assert "vis.js is dual licensed under both" in html
    assert "sourceMappingURL" not in html
    assert re.findall(r"<(?:link|img|iframe|script)[^>]+(?:src|href)", html) == []


@pytest.mark.parametrize(
    "hostile", [pytest.param(HOSTILE, id="c7-07"), "<img src=x onerror=alert(1)>", "\"&'>"]
)
def test_no_name_leaves_its_place(hostile: str) -> None:
    graph = small_graph()
    for node in graph:
        graph.nodes[node]["name"] = hostile
    graph.nodes[UPG]["label"] = hostile
    html = view(graph, title=hostile).html
    plain = view(small_graph()).html
    assert html.lower().count("</script") == plain.lower().count("</script")
    assert html.count("<!--") == plain.count("<!--")
    assert page_data(view(graph))["nodes"][0]["name"] == hostile


def test_data_has_no_character_that_ends_it() -> None:
    assert embed({"a": "<>&\u2028\u2029"}) == '{"a":"\\u003c\\u003e\\u0026\\u2028\\u2029"}'


def test_the_file_is_utf8_whatever_the_code_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case c7-01."""
    monkeypatch.setenv("LC_ALL", "C")
    graph = small_graph()
    graph.nodes["method:upgnet"]["name"] = "β-VAE and 图神经网络 → results"
    view(graph).save(tmp_path / "view.html")
    assert "β-VAE and 图神经网络 → results" in (tmp_path / "view.html").read_bytes().decode("utf-8")


def test_the_folder_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case c7-03."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "mycode.py").write_text("x = 1")
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    view(small_graph()).save("out/graph.html")
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")) == [
        "lib",
        "lib/mycode.py",
        "out",
        "out/graph.html",
    ]


def test_tooltips_are_plain_text() -> None:
    """Case c7-06."""
    titles = [node["title"] for node in page_data(view(small_graph()))["nodes"]]
    assert [title for title in titles if "<br" in title or "<a" in title] == []
    assert "UPGNET\nMethod · 1 paper\nunified private graph network" in titles


@pytest.mark.parametrize("top", [pytest.param(1500, id="c7-09")])
def test_places_are_computed_before_and_what_is_cut_is_told(top: int) -> None:
    graph = nx.gnm_random_graph(2000, 4000, seed=1)
    page = view(graph, top=top)
    data = page_data(page)
    assert sum("x" in node for node in data["nodes"]) == top
    assert data["options"]["physics"]["enabled"] is False
    assert "Shows the 1,500 best connected of 2,000 nodes." in page.html


def test_the_layout_has_a_limit_and_stops() -> None:
    """Case c7-10."""
    page = view(nx.gnm_random_graph(60, 600, seed=1))
    assert page_data(page)["options"]["physics"]["stabilization"]["iterations"] == 200
    assert 'network.on("stabilized", () => run(false))' in page.html


@pytest.mark.parametrize(
    ("node", "data", "expected"),
    [
        pytest.param(("method", "bert"), {"size": np.int64(3)}, "method:bert", id="c7-11"),
        pytest.param("2014", {"type": "Dataset"}, "dataset:2014", id="c7-12"),
        (7, {"type": None, "papers": float("nan")}, "other:7"),
        (frozenset({1}), {"year": "soon"}, "other:[1]"),
    ],
)
def test_ids_of_any_kind_become_text(node: Any, data: dict[str, Any], expected: str) -> None:
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_node(node, **data)
    graph.add_edge(node, "p1", weight=np.float32(2))
    page = page_data(view(graph))
    assert {item["id"] for item in page["nodes"]} == {expected, "other:p1"}
    assert [(edge["from"], edge["to"]) for edge in page["edges"]] == [(expected, "other:p1")]


def test_ids_that_become_equal_stay_apart() -> None:
    graph: nx.Graph[Any] = nx.Graph([(1, "1")])
    assert sorted(node["id"] for node in page_data(view(graph))["nodes"]) == ["other:1", "other:1-2"]


def test_options_are_made_once_as_json() -> None:
    """Case c7-15."""
    assert set(page_data(view(small_graph()))["options"]) == {
        "autoResize",
        "edges",
        "interaction",
        "layout",
        "nodes",
        "physics",
    }


def test_more_papers_make_a_wider_edge() -> None:
    """Case c7-17."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    graph.add_edge("a", "b", weight=12)
    graph.add_edge("a", "c", papers=1)
    assert [edge["width"] for edge in page_data(view(graph))["edges"]] == [4.58, 1.0]


def test_a_long_title_is_cut_and_whole_in_the_tooltip() -> None:
    """Case c7-18."""
    graph = small_graph()
    title = "word " * 40
    graph.nodes[UPG].update(label=title, name=title)
    nodes = page_data(view(graph))["nodes"]
    assert max(len(node["label"]) for node in nodes) <= 40
    assert any(title in node["title"] for node in nodes)


def test_parallel_edges_are_bent() -> None:
    graph = small_graph()
    graph.add_edge("method:transformer", "method:upgnet", "COMPARED_WITH", type="COMPARED_WITH")
    edges = page_data(view(graph))["edges"]
    pair = [edge for edge in edges if {edge["from"], edge["to"]} == {"method:transformer", "method:upgnet"}]
    assert ["smooth" in edge for edge in pair] == [False, True]


def test_missing_values_and_nan_are_left_out() -> None:
    graph = small_graph()
    graph.nodes["method:upgnet"].update(papers=float("nan"), aliases=None)
    graph.edges[UPG, "method:upgnet", "PROPOSES"].update(score=float("inf"), evidence=None)
    html = view(graph).html
    assert not re.search(
        r":(NaN|Infinity|null)[,}]",
        html.partition('id="data">')[2].partition("</script>")[0][:-1].replace('"focus":null', ""),
    )


def test_an_empty_graph_has_a_page() -> None:
    assert page_data(view(nx.MultiDiGraph()))["nodes"] == []


def test_sentences_stand_once_and_evidence_points_to_them() -> None:
    data = page_data(view(small_graph()))
    texts = [text for _, text in data["sentences"]]
    assert len(texts) == len(set(texts)) == 7
    improves = next(edge for edge in data["edges"] if edge["type"] == "IMPROVES")
    (row,) = improves["evidence"]
    assert (texts[row[0]], row[1]) == ("We propose UPGNET.", 0.9)
    assert data["sources"][data["sentences"][row[0]][0]] == [UPG, "UPGNET: graph learning", 2025]


def test_an_address_goes_without_its_scheme() -> None:
    names = {node["id"]: (node["name"], node["label"]) for node in page_data(view(small_graph()))["nodes"]}
    assert names["repository:github.com/o/upg"] == ("github.com/o/upg", "github.com/o/upg")


def test_unsafe_addresses_are_left_out() -> None:
    graph = small_graph()
    graph.nodes["repository:github.com/o/upg"]["url"] = "javascript:alert(1)"
    nodes = {node["id"]: node for node in page_data(view(graph))["nodes"]}
    assert "links" not in nodes["repository:github.com/o/upg"]


def test_a_notebook_gets_a_frame_that_may_do_nothing_to_it() -> None:
    shown = view(small_graph())._repr_html_()
    assert shown.startswith('<iframe srcdoc="')
    assert 'sandbox="allow-scripts allow-downloads allow-popups"' in shown
    assert shown.count("<") == 2


def test_a_name_that_nothing_has_is_an_error() -> None:
    with pytest.raises(NotFoundError):
        view(small_graph(), focus="nothing of the kind")


def test_two_kinds_of_view_at_once_are_an_error() -> None:
    with pytest.raises(ValueError, match="choose one of"):
        view(small_graph(), papers=True, timeline=True)
