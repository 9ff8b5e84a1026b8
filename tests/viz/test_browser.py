"""The view in Chromium: every feature is used, offline."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import networkx as nx
import pytest

import kg
from kg.exports import graphml
from kg.store import Graph
from tests.graphs import STAR, UPG, small_graph
from tests.viz.conftest import OpenView
from viz import view

pytestmark = pytest.mark.browser

HOSTILE = (
    "</script><script>window.ran = 1</script><img src=x onerror='window.ran = 1'>\" onclick=alert(1) <b>"
)


def visible(page: Any) -> list[str]:
    """The ids of the nodes that are drawn."""
    ids: list[str] = page.evaluate("() => nodeSet.getIds().sort()")
    return ids


def lit(page: Any) -> list[str]:
    """The ids of the nodes that are lit."""
    ids: list[str] = page.evaluate("() => lit ? [...lit.nodes].sort() : []")
    return ids


def click_node(page: Any, node: str, *, double: bool = False) -> None:
    """Clicks where a node stands."""
    page.evaluate("() => new Promise((done) => setTimeout(done, 120))")
    spot = page.evaluate("(id) => network.canvasToDOM(network.getPositions([id])[id])", node)
    box = page.locator("#graph").bounding_box()
    click = page.mouse.dblclick if double else page.mouse.click
    click(box["x"] + spot["x"], box["y"] + spot["y"])


def saved(page: Any, kind: str, tmp_path: Path) -> bytes:
    """What a button of the menu saves."""
    page.click("#take > summary")
    with page.expect_download() as waiting:
        page.click(f"[data-save={kind}]")
    waiting.value.save_as(tmp_path / "saved")
    return (tmp_path / "saved").read_bytes()


def ink(page: Any) -> int:
    """How many pixels of the drawing are not those of the ground."""
    count: int = page.evaluate(
        """() => new Promise((done) => {
          network.once('afterDrawing', (context) => {
            const { data } = context.getImageData(0, 0, context.canvas.width, context.canvas.height);
            let count = 0;
            for (let at = 0; at < data.length; at += 4) {
              if (data[at + 3] && data[at] + data[at + 2] < 420) count += 1;
            }
            done(count);
          });
          network.redraw();
        })"""
    )
    return count


def test_the_page_draws_what_is_in_the_graph(open_view: OpenView) -> None:
    page = open_view(view(small_graph(), title="My papers"))
    assert page.title() == "My papers"
    assert visible(page) == sorted(
        set(small_graph()) - {"author:ann-roe", "venue:icml"}  # these are switched off at first
    )
    assert page.inner_text("#count") == "8 nodes, 9 relations"
    assert ink(page) > 1000


@pytest.mark.shared
@pytest.mark.slow
def test_real_lists_open_without_a_request(open_view: OpenView, shared: Path) -> None:
    graph = kg.build(sorted((shared / "seeds").glob("*.txt")))
    page = open_view(view(graph))
    assert len(visible(page)) > 300
    page.fill("#search", "large language")
    page.press("#search", "Enter")
    assert page.inner_text("#panel h2").startswith("large language model")
    assert page.locator("#panel mark").count() > 3


@pytest.mark.slow
def test_the_seeds_open_without_a_request(open_view: OpenView) -> None:
    page = open_view(view(kg.build(Path(__file__).parents[2] / "seeds")))
    page.fill("#search", "attention is all")
    page.press("#search", "Enter")
    assert page.inner_text("#panel h2") == "Attention Is All You Need"
    assert page.locator("#panel blockquote").count() > 5


def test_hostile_names_are_shown_and_do_nothing(open_view: OpenView) -> None:
    graph = small_graph()
    for node, data in graph.nodes(data=True):
        data.update({"name": f"{node} {HOSTILE}", "label": f"{node} {HOSTILE}", "aliases": [HOSTILE]})
    for *_, data in graph.edges(data=True):
        data["evidence"] = [{"paper": UPG, "sentence": HOSTILE, "score": 0.5}]
    graph.nodes[UPG]["title"] = HOSTILE
    page = open_view(view(graph, title=HOSTILE), fragment="#method:transformer")
    assert page.inner_text("#panel h2") == " ".join(f"method:transformer {HOSTILE}".split())
    page.fill("#search", "onerror")
    page.click("#suggestions li")
    page.click("[data-relation=USES] li a") if page.locator("[data-relation=USES] li a").count() else None
    page.mouse.move(640, 400)
    assert page.evaluate("() => [window.ran, document.querySelectorAll('img, b').length]") == [None, 0]


def test_a_tooltip_is_plain_text_with_line_breaks(open_view: OpenView) -> None:
    graph = small_graph()
    graph.nodes["method:upgnet"]["name"] = "<b>UPG</b><script>alert(1)</script>"
    page = open_view(view(graph))
    spot = page.evaluate(
        "() => network.canvasToDOM(network.getPositions(['method:upgnet'])['method:upgnet'])"
    )
    box = page.locator("#graph").bounding_box()
    page.mouse.move(box["x"] + spot["x"] - 1, box["y"] + spot["y"])
    page.mouse.move(box["x"] + spot["x"], box["y"] + spot["y"])
    page.wait_for_selector(".vis-tooltip", state="visible")
    assert page.inner_text(".vis-tooltip").splitlines() == [
        "<b>UPG</b><script>alert(1)</script>",
        "Method · 1 paper",
        "unified private graph network",
    ]
    assert page.locator(".vis-tooltip").count() == 1


def test_search_finds_names_and_aliases_and_enter_takes_the_first(open_view: OpenView) -> None:
    page = open_view(view(small_graph()))
    page.keyboard.press("/")
    assert page.evaluate("() => document.activeElement.id") == "search"
    page.keyboard.type("unified priv")
    assert page.locator("#suggestions li").all_inner_texts() == ["UPGNET\nunified private graph network"]
    page.keyboard.press("Enter")
    assert page.inner_text("#panel h2") == "UPGNET"
    assert page.evaluate("() => document.activeElement.textContent") == "UPGNET"


def test_a_search_for_nothing_says_so_and_an_address_finds_its_paper(open_view: OpenView) -> None:
    graph = small_graph()
    graph.nodes[UPG]["doi"] = "10.1/x"
    page = open_view(view(graph))
    page.fill("#search", "zebra")
    assert page.inner_text("#suggestions") == "Nothing found"
    page.press("#search", "Enter")
    assert page.locator("#panel").is_hidden()
    page.fill("#search", "https://doi.org/10.1/X")
    page.press("#search", "Enter")
    assert page.inner_text("#panel h2") == "UPGNET: graph learning"


def test_arrow_keys_choose_among_suggestions(open_view: OpenView) -> None:
    page = open_view(view(small_graph()))
    page.fill("#search", "graph")
    first, second = page.locator("#suggestions .name").all_inner_texts()[:2]
    page.press("#search", "ArrowDown")
    assert page.get_attribute("#search", "aria-activedescendant") == "suggestion-1"
    assert page.inner_text("[aria-selected=true] .name") == second != first
    page.press("#search", "Enter")
    assert page.inner_text("#panel h2") == second


def test_a_node_that_is_chosen_is_lit_with_its_neighbours_and_stands_in_the_middle(
    open_view: OpenView,
) -> None:
    page = open_view(view(small_graph()))
    before = ink(page)
    click_node(page, "dataset:cora")
    page.wait_for_selector("#panel h2")
    assert lit(page) == ["dataset:cora", UPG]
    assert ink(page) < before  # the rest is dimmed
    place = page.evaluate(
        "() => [network.getViewPosition(), network.getPositions(['dataset:cora'])['dataset:cora']]"
    )
    assert place[0] == pytest.approx(place[1], abs=1)


def test_the_panel_tells_what_a_node_is_with_marked_sentences(open_view: OpenView) -> None:
    page = open_view(view(small_graph()), fragment="#method:transformer")
    assert page.inner_text("#panel .kind") == "Method · 2 papers"
    assert page.inner_text("#panel .aliases") == "Also: Transformers"
    assert page.locator("#panel h3").all_inner_texts() == ["used by\n2", "improved by\n1"]
    assert page.locator("[data-relation=USES] blockquote").all_inner_texts() == [
        "It builds on the Transformer.",
        "Transformers are slow.",
    ]
    assert page.locator("[data-relation=USES] mark").all_inner_texts() == ["Transformer", "Transformers"]
    page.click("[data-relation=USES] li >> text=Star Attention")
    assert page.inner_text("#panel h2") == "Star Attention"


def test_links_leave_safely_or_not_at_all(open_view: OpenView) -> None:
    graph = small_graph()
    graph.nodes[UPG]["url"] = "javascript:window.ran = 1"
    graph.nodes[UPG]["doi"] = "10.1/x"
    page = open_view(view(graph), fragment="#" + UPG)
    links = page.locator("#panel .links a")
    assert [(a.inner_text(), a.get_attribute("href"), a.get_attribute("rel")) for a in links.all()] == [
        ("DOI", "https://doi.org/10.1/x", "noopener noreferrer")
    ]
    page.click("#panel >> text=github.com/o/upg")
    links = page.locator("#panel .links a")
    assert [(a.get_attribute("href"), a.get_attribute("target")) for a in links.all()] == [
        ("https://github.com/o/upg", "_blank")
    ]


def test_the_address_names_the_node_and_back_and_forward_return_to_the_same_sight(
    open_view: OpenView,
) -> None:
    sight = "() => [focus, network.getViewPosition(), network.getScale()]"
    page = open_view(view(small_graph()), fragment="#" + STAR)
    assert page.inner_text("#panel h2") == "Star Attention"
    first = page.evaluate(sight)
    page.fill("#search", "cora")
    page.press("#search", "Enter")
    page.wait_for_function("() => focus === 'dataset:cora'")
    assert page.url.endswith("#dataset:cora")
    page.go_back()
    page.wait_for_function(f"() => focus === '{STAR}'")
    assert page.evaluate(sight) == first
    page.go_forward()
    page.wait_for_function("() => focus === 'dataset:cora'")
    assert page.inner_text("#panel h2") == "Cora"


def test_back_returns_to_the_node_that_the_view_is_about(open_view: OpenView) -> None:
    page = open_view(view(small_graph(), focus="Cora", depth=2))
    page.click("#panel section a")
    page.wait_for_function("() => focus !== 'dataset:cora'")
    page.go_back()
    page.wait_for_function("() => focus === 'dataset:cora'")
    assert page.inner_text("#panel h2") == "Cora"


PLACES = """(places) => {
  for (const [id, [x, y]] of Object.entries(places)) network.moveNode(id, x, y);
  network.moveTo({ position: { x: 0, y: 0 }, scale: 1 });
  const view = viewOf();
  const { labels } = placeLabels(document.createElement('canvas').getContext('2d'), view);
  const { width, height } = view;
  return Object.fromEntries(labels.map(({ text, x, y }) => [text, [x - width / 2, y - height / 2]]));
}"""


def test_a_name_stands_where_it_hides_least(open_view: OpenView) -> None:
    graph: Graph = nx.MultiDiGraph()
    for name in "abc":
        graph.add_node(f"method:{name}", type="Method", name=f"method {name}", papers=1)
    page = open_view(view(graph))
    labels = page.evaluate(PLACES, {"method:a": [0, 0], "method:b": [0, 24], "method:c": [300, 0]})
    assert labels["method a"][1] < 0  # above, since b stands below
    assert labels["method b"][1] > 24
    assert labels["method c"] == [300, pytest.approx(11.4, abs=2)]
    bottom = page.evaluate("() => viewOf().height / 2")
    labels = page.evaluate(PLACES, {"method:c": [300, bottom - 8]})
    assert labels["method c"][1] < bottom - 16  # none is cut off by the edge of the window


def test_a_name_does_not_run_under_the_tools(open_view: OpenView) -> None:
    page = open_view(view(crowd(1)))
    box = page.evaluate(
        "() => { const { width, height } = viewOf(); return [width / 2 - 80, height / 2 - 30]; }"
    )
    labels = page.evaluate(PLACES, {"method:0000": box, "paper:1": [0, 0]})
    assert labels["method 0"][0] < box[0] - 20 or labels["method 0"][1] < box[1] - 100


@pytest.mark.parametrize(("width", "height"), [(390, 800), (1500, 700)])
def test_the_drawing_fills_the_window(open_view: OpenView, width: int, height: int) -> None:
    graph = crowd(60)
    for index in range(59):
        graph.add_edge(f"method:{index:04}", f"method:{index + 1:04}", "IS_A", type="IS_A")
    page = open_view(view(graph), width=width, height=height)
    part = page.evaluate(
        """() => {
          const { width, height } = extent(nodeSet.getIds().map(positionOf));
          const view = viewOf();
          return [(width * view.scale) / view.width, (height * view.scale) / view.height];
        }"""
    )
    assert min(part) > 0.6


def test_an_address_that_names_nothing_shows_everything(open_view: OpenView) -> None:
    page = open_view(view(small_graph()), fragment="#%E0%A4%A")
    assert (page.locator("#panel").is_visible(), lit(page)) == (False, [])


@pytest.mark.parametrize(
    ("control", "change", "gone"),
    [
        ("[data-filter=types][value=Paper]", "click", {UPG, STAR}),
        ("[data-filter=types][value=Task]", "click", {"task:graph-learning"}),
        ("[data-filter=relations][value=EVALUATES_ON]", "click", {"dataset:cora"}),
        ("#min-papers", "2", {"method:upgnet", "task:graph-learning", "dataset:cora", "term:transformer-c"}),
        ("#year-to", "2024", {UPG, "method:upgnet", "task:graph-learning", "dataset:cora"}),
        ("#year-from", "2025", {STAR, "term:transformer-c"}),
        ("#min-score", "0.95", {UPG, STAR, "method:transformer", "term:transformer-c"}),
    ],
)
def test_the_legend_filters_and_resets(
    open_view: OpenView, control: str, change: str, gone: set[str]
) -> None:
    graph = small_graph()
    for *_, data in graph.edges(data=True):
        data["score"] = max((item["score"] for item in data.get("evidence") or ()), default=None)
    page = open_view(view(graph))
    before = set(visible(page))
    page.evaluate("() => { document.getElementById('relation-box').open = true; }")
    if change == "click":
        page.click(control)
    else:
        page.fill(control, change)
    assert gone <= before - set(visible(page))
    page.click("[type=reset]")
    page.wait_for_function(f"() => nodeSet.length === {len(before)}")


def test_authors_and_venues_can_be_switched_on(open_view: OpenView) -> None:
    page = open_view(view(small_graph()))
    page.click("[data-filter=types][value=Author]")
    assert "author:ann-roe" in visible(page)


def test_light_and_dark_follow_the_system_until_the_switch_is_used(open_view: OpenView) -> None:
    background = "() => getComputedStyle(document.body).backgroundColor"
    page = open_view(view(small_graph()), scheme="dark")
    dark = page.evaluate(background)
    page.emulate_media(color_scheme="light")
    page.wait_for_function("() => document.documentElement.dataset.theme === 'light'")
    light = page.evaluate(background)
    page.click("#theme")
    assert (dark, light, page.evaluate(background)) == ("rgb(21, 24, 28)", "rgb(252, 252, 250)", dark)
    assert page.get_attribute("#theme", "aria-pressed") == "true"
    colour = page.evaluate("() => nodeSet.get('dataset:cora').color.background")
    assert colour == "#2fc49a"


def test_the_keyboard_moves_zooms_and_leaves(open_view: OpenView) -> None:
    page = open_view(view(small_graph()), fragment="#dataset:cora")
    page.focus("#graph")
    scale = page.evaluate("() => network.getScale()")
    page.keyboard.press("+")
    assert page.evaluate("() => network.getScale()") == pytest.approx(1.4 * scale)
    place = page.evaluate("() => network.getViewPosition().x")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => network.getViewPosition().x") > place
    page.keyboard.press("Escape")
    page.wait_for_selector("#panel", state="hidden")
    assert page.evaluate("() => focus") is None


def test_escape_closes_an_open_menu_first(open_view: OpenView) -> None:
    page = open_view(view(small_graph()), fragment="#dataset:cora")
    page.click("#take > summary")
    page.keyboard.press("Escape")
    assert page.evaluate("() => [document.getElementById('take').open, focus]") == [False, "dataset:cora"]
    page.keyboard.press("Escape")
    page.wait_for_selector("#panel", state="hidden")


def test_a_year_half_typed_hides_nothing(open_view: OpenView) -> None:
    page = open_view(view(small_graph()))
    before = visible(page)
    page.fill("#year-to", "20")
    assert visible(page) == before


def test_everything_to_press_has_a_name_and_can_be_reached_by_tab(open_view: OpenView) -> None:
    page = open_view(view(small_graph()), fragment="#" + UPG)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, input, a[href], [role]')].filter((item) =>
          item.checkVisibility() && !(item.ariaLabel || item.textContent.trim() || item.labels?.length)
        ).map((item) => item.outerHTML)"""
    )
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("() => document.activeElement.id || document.activeElement.tagName"))
    assert nameless == []
    assert {"search", "theme", "graph", "zoom-in", "run", "INPUT", "A", "BUTTON", "SUMMARY"} <= reached


@pytest.mark.parametrize("width", [320, 390, 768, 1440, 3840])
def test_nothing_runs_over_the_edge(open_view: OpenView, width: int) -> None:
    page = open_view(view(small_graph()), fragment="#" + UPG, width=width, height=max(640, width // 2))
    assert page.evaluate("() => document.documentElement.scrollWidth") == width
    graph = page.locator("#graph").bounding_box()
    assert graph["width"] >= min(width, 320)
    assert graph["height"] >= 200
    assert page.locator("#panel h2").is_visible()
    page.fill("#search", "graph")
    box = page.locator("#suggestions").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width


def test_the_legend_opens_on_a_phone(open_view: OpenView) -> None:
    page = open_view(view(small_graph()), width=390)
    assert not page.locator("#filters").is_visible()
    page.click("#menu")
    page.click("[data-filter=types][value=Task]")
    assert "task:graph-learning" not in visible(page)


def crowd(count: int) -> Graph:
    """One paper with many methods."""
    graph: Graph = nx.MultiDiGraph()
    graph.add_node("paper:1", type="Paper", name="Everything")
    for index in range(count):
        graph.add_node(f"method:{index:04}", type="Method", name=f"method {index}", papers=1)
        graph.add_edge("paper:1", f"method:{index:04}", "USES", type="USES")
    return graph


def test_what_is_cut_is_told_and_comes_by_expanding(open_view: OpenView) -> None:
    page = open_view(view(crowd(30), top=10), fragment="#paper:1")
    assert page.inner_text("#note").startswith("Shows the 10 best connected of 31 nodes.")
    assert len(visible(page)) == 10
    page.click("[data-action=expand]")
    assert len(visible(page)) == 31
    assert page.locator("[data-action=expand]").count() == 0


def test_a_double_click_expands_and_search_finds_hidden_nodes(open_view: OpenView) -> None:
    page = open_view(view(crowd(30), top=10))
    page.fill("#search", "method 25")
    page.press("#search", "Enter")
    page.wait_for_function("() => focus === 'method:0025'")
    assert "method:0025" in visible(page)
    assert page.inner_text("#panel h2") == "method 25"
    click_node(page, "paper:1", double=True)
    page.wait_for_function("() => nodeSet.length === 31")


def test_a_double_click_means_the_node_that_was_clicked_though_it_moves(open_view: OpenView) -> None:
    page = open_view(view(crowd(30), top=10))
    page.evaluate(
        """() => {
          const emit = (name, nodes) => network.body.emitter.emit(name, { nodes, edges: [] });
          emit('click', ['paper:1']); // the node moves to the middle; the second click finds the ground
          emit('click', []);
          emit('doubleClick', []);
        }"""
    )
    page.wait_for_function("() => nodeSet.length === 31 && focus === 'paper:1'")


def test_neighbours_of_a_type_that_is_switched_off_are_not_offered(open_view: OpenView) -> None:
    graph = small_graph()
    for index in range(3):
        graph.add_node(f"author:{index}", type="Author", name=f"author {index}")
        graph.add_edge(f"author:{index}", UPG, "AUTHORED", type="AUTHORED")
    page = open_view(view(graph, top=1), fragment="#" + UPG)
    offered = page.inner_text("[data-action=expand]")
    page.click("[data-action=expand]")
    assert f"Show {len(visible(page)) - 1} hidden neighbours" == offered
    page.click("[data-filter=types][value=Author]")
    page.click("[data-action=expand]")
    assert {"author:0", "author:1", "author:2"} <= set(visible(page))


def test_physics_is_off_until_asked_for_and_stops_by_itself(open_view: OpenView) -> None:
    page = open_view(view(crowd(30)))
    enabled = "() => network.physics.options.enabled"
    places = "() => JSON.stringify(network.getPositions())"
    before = page.evaluate(places)
    assert page.evaluate(enabled) is False
    page.click("#run")
    assert page.evaluate(enabled) is True
    page.wait_for_function(f"(before) => ({places})() !== before", arg=before)
    page.evaluate("() => network.body.emitter.emit('stabilized', { iterations: 1 })")
    assert page.evaluate(enabled) is False
    assert page.get_attribute("#run", "aria-pressed") == "false"


def test_a_picture_and_a_drawing_are_saved(open_view: OpenView, tmp_path: Path) -> None:
    graph = small_graph()
    graph.nodes["method:upgnet"]["name"] = "UPG <&> \x07 net"
    page = open_view(view(graph))
    assert saved(page, "png", tmp_path).startswith(b"\x89PNG")
    drawing = ElementTree.fromstring(saved(page, "svg", tmp_path))
    texts = {text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")}
    assert "UPG <&>  net" in texts or "UPG <&> net" in texts
    shapes = [
        item
        for name in ("polygon", "circle")
        for item in drawing.iter(f"{{http://www.w3.org/2000/svg}}{name}")
    ]
    assert len(shapes) == 8


def test_what_is_visible_is_saved_as_graphml_and_tables(open_view: OpenView, tmp_path: Path) -> None:
    graph = small_graph()
    graph.nodes["method:upgnet"]["name"] = "=1+1"
    page = open_view(view(graph))
    page.click("[data-filter=types][value=Task]")
    (tmp_path / "read.graphml").write_bytes(saved(page, "graphml", tmp_path))
    read = graphml.read(tmp_path / "read.graphml")
    assert sorted(read) == visible(page)
    assert nx.read_graphml(tmp_path / "read.graphml").number_of_edges() == 8
    nodes = list(csv.DictReader(io.StringIO(saved(page, "nodes", tmp_path).decode())))
    assert sorted(row["id"] for row in nodes) == visible(page)
    assert [row["name"] for row in nodes if row["id"] == "method:upgnet"] == ["'=1+1"]
    edges = csv.DictReader(io.StringIO(saved(page, "edges", tmp_path).decode()))
    assert [row for row in edges if row["target"] == "dataset:cora"] == [
        {
            "source": UPG,
            "target": "dataset:cora",
            "type": "EVALUATES_ON",
            "papers": "",
            "score": "0.9",
            "sentence": "On Cora it wins.",
        }
    ]


def test_a_formula_gets_an_apostrophe(open_view: OpenView) -> None:
    page = open_view(view(small_graph()))
    assert page.evaluate("() => csv([['=1+1', -1, 'a,b']])") == '\'=1+1,-1,"a,b"\r\n'


def test_a_citation_is_copied(open_view: OpenView) -> None:
    graph = small_graph()
    graph.nodes[UPG].update(title="Graphs & 100% {fun}", label="Graphs & 100% {fun}")
    page = open_view(view(graph), fragment="#" + UPG)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("[data-action=cite]")
    expected = (
        "@article{roe2025graphs,\n  title = {{Graphs \\& 100\\% \\{fun\\}}},\n  author = {Ann Roe},\n"
        "  year = {2025},\n  journal = {ICML},\n}\n"
    )
    assert page.input_value("textarea.bibtex") == expected
    assert page.evaluate("() => navigator.clipboard.readText()") == expected


def test_a_relation_that_is_clicked_shows_its_sentences(open_view: OpenView) -> None:
    page = open_view(view(small_graph()))
    page.evaluate("() => showEdge(DATA.edges.find((edge) => edge.type === 'IMPROVES'))")
    assert page.inner_text("#panel .ends") == "UPGNET → Transformer"
    assert page.inner_text("#panel blockquote") == "We propose UPGNET."


def test_a_timeline_has_its_years_and_communities_their_names(open_view: OpenView, tmp_path: Path) -> None:
    page = open_view(view(small_graph(), timeline=True, community=True))
    assert visible(page) == ["method:transformer", "method:upgnet"]
    columns = page.evaluate("() => ['method:transformer', 'method:upgnet'].map((id) => nodeSet.get(id).x)")
    assert columns[0] < columns[1]  # 2024 stands left of 2025
    assert page.locator("#communities .name").all_inner_texts() == ["Transformer · UPGNET"]
    drawing = ElementTree.fromstring(saved(page, "svg", tmp_path))
    texts = [text.text for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[:2] == ["2024", "2025"]


def test_a_notebook_shows_the_page_in_a_frame(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "notebook.html").write_text(
        f"<p>cell</p>{view(small_graph(), focus='Cora', depth=3)._repr_html_()}", encoding="utf-8"
    )
    page = browser.new_page()
    wrong: list[Any] = []
    page.on("pageerror", lambda error: wrong.append(error))
    page.goto((tmp_path / "notebook.html").as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("html[data-ready]").wait_for(state="attached")
    frame.locator("#search").fill("upgnet")
    frame.locator("#search").press("Enter")
    assert frame.locator("#panel h2").inner_text() == "UPGNET"
    frame.locator("#panel section a").first.click()
    frame.locator("#panel h2 >> text=/^(?!UPGNET$)/").wait_for()
    assert wrong == []
    page.close()


def test_a_frame_that_is_hidden_at_first_starts_when_it_is_shown(browser: Any, tmp_path: Path) -> None:
    frame = view(small_graph())._repr_html_().replace('loading="lazy"', "")
    (tmp_path / "hidden.html").write_text(
        f'<div id="tab" style="width: 0; height: 0; overflow: hidden; display: flex">{frame}</div>'
        "<style>#tab iframe { width: 0 !important; height: 0 !important }</style>",
        encoding="utf-8",
    )
    page = browser.new_page()
    wrong: list[Any] = []
    page.on("pageerror", lambda error: wrong.append(error))
    page.goto((tmp_path / "hidden.html").as_uri())
    inner = page.frame_locator("iframe")
    page.wait_for_timeout(500)
    assert inner.locator("html[data-ready]").count() == 0
    page.evaluate("document.querySelector('style').remove()")
    page.evaluate("document.getElementById('tab').style = 'width: 900px; height: 640px'")
    inner.locator("html[data-ready]").wait_for(state="attached")
    assert wrong == []
    page.close()


@pytest.mark.slow
def test_two_thousand_nodes_are_there_soon(open_view: OpenView) -> None:
    graph = crowd(2000)
    for index in range(1999):
        graph.add_edge(f"method:{index:04}", f"method:{index + 1:04}", "IS_A", type="IS_A")
    page = open_view(view(graph, top=3000))
    assert page.evaluate("() => performance.now()") < 10_000
    assert len(visible(page)) == 2001
