"""Tests of the places of nodes."""

from __future__ import annotations

import math

import pytest

from viz.layout import columns, force_layout

CLUSTERS = [(a, b, 1.0) for start in (0, 10) for a in range(start, start + 10) for b in range(start, a)]


def test_no_nodes_have_no_places() -> None:
    assert force_layout(0, [], []) == []


@pytest.mark.parametrize("count", [1, 2, 300])
def test_nodes_do_not_overlap(count: int) -> None:
    places = force_layout(count, [(0, other, 1.0) for other in range(1, count)], [8.0] * count)
    distances = [math.dist(a, b) for index, a in enumerate(places) for b in places[:index]]
    assert min(distances, default=16) > 15


def test_what_is_joined_stands_together() -> None:
    places = force_layout(20, [*CLUSTERS, (0, 10, 1.0)], [8.0] * 20)
    inside = [math.dist(places[a], places[b]) for a, b, _ in CLUSTERS]
    across = [math.dist(places[a], places[b]) for a in range(10) for b in range(10, 20)]
    assert sum(inside) / len(inside) < 0.6 * sum(across) / len(across)


def test_the_same_graph_has_the_same_places() -> None:
    assert force_layout(20, CLUSTERS, [8.0] * 20) == force_layout(20, CLUSTERS, [8.0] * 20)


def test_a_year_is_a_column_with_the_first_in_the_middle() -> None:
    years = {"a": 2020, "b": 2020, "c": 2020, "d": 2017}
    places = columns(years, ["a", "b", "c", "d"], dict.fromkeys(years, 8.0))
    assert places == {"a": (130, 0), "b": (130, 36), "c": (130, -36), "d": (30, 0)}


def test_a_full_year_has_columns_beside_each_other_and_large_nodes_have_room() -> None:
    years = {f"m{index:03}": 2000 + index % 3 for index in range(300)}
    sizes = {node: 30.0 if node < "m010" else 8.0 for node in years}
    places = columns(years, sorted(years), sizes)
    xs, ys = zip(*places.values(), strict=True)
    assert 1 < (max(xs) - min(xs)) / (max(ys) - min(ys)) < 2
    assert all(math.dist(places[a], places[b]) > sizes[a] + sizes[b] for a in years for b in years if a < b)


def test_no_years_have_no_columns() -> None:
    assert columns({}, [], {}) == {}
