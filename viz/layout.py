"""Places for the nodes, computed once so that the page opens with a finished picture.

The forces are those of ForceAtlas2 (M. Jacomy et al., PLoS ONE 9(6), 2014): every pair of nodes repels by the
product of their masses over the distance, edges attract, gravity holds the parts together; the steps shrink
as in T. M. J. Fruchterman and E. M. Reingold, "Graph drawing by force-directed placement" (1991). Repulsion
is a convolution on a grid by fast Fourier transform (R. W. Hockney and J. W. Eastwood, "Computer
simulation using particles", 1988): time grows with the number of nodes, not with its square. Nothing is
random.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["columns", "force_layout"]

_Floats: TypeAlias = "npt.NDArray[np.float64]"
_Ints: TypeAlias = "npt.NDArray[np.int64]"

_GOLDEN = math.pi * (3 - math.sqrt(5))
#: Pixels between neighbours, roughly.
_SPACING = 40.0
#: Pictures are wider than high.
_ASPECT = 1.35
#: Power of the distance from the middle that is kept.
_INWARD = 0.75
#: How strong each force is; found by trying, on graphs of 100 to 5,000 nodes.
_REPULSION, _ATTRACTION, _GRAVITY = 0.3, 2.0, 0.7
#: Pixels between methods of a year, across and down, and further ones between years.
_ACROSS, _DOWN, _BETWEEN = 60.0, 36.0, 40.0
_MOST_ROWS = 80


def force_layout(
    count: int, edges: Sequence[tuple[int, int, float]], sizes: Sequence[float]
) -> list[tuple[int, int]]:
    """Whole coordinates for `count` nodes.

    Args:
        count: how many nodes; the first stand in the middle at the beginning.
        edges: pairs of nodes with a weight.
        sizes: radius of each node in pixels; nodes do not overlap.
    """
    if not count:
        return []
    ends = np.array([edge[:2] for edge in edges], dtype=np.int64).reshape(-1, 2)
    weights = np.array([edge[2] for edge in edges], dtype=np.float64)
    places = _settle(_spiral(count), ends, weights)
    places = _part(_scaled(places), np.array(sizes, dtype=np.float64))
    places -= places.mean(axis=0)
    return [(round(x), round(y)) for x, y in places.tolist()]


def _scaled(places: _Floats) -> _Floats:
    """Places in pixels; what is far out comes nearer, so that the middle is not small."""
    radius = np.hypot(*places.T)
    usual = max(float(np.median(radius)), 1e-9)
    nearer = np.maximum(radius / usual, 1e-9) ** (_INWARD - 1)
    pixels = _SPACING * math.sqrt(len(places)) / (2.5 * usual)
    scaled: _Floats = places * (nearer * pixels)[:, None] * (_ASPECT, 1.0)
    return scaled


def _spiral(count: int) -> _Floats:
    """Sunflower seeds: an even start without chance."""
    index = np.arange(count, dtype=np.float64)
    radius, angle = np.sqrt(index + 0.5), index * _GOLDEN
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def _settle(places: _Floats, ends: _Ints, weights: _Floats) -> _Floats:
    """Lets the forces act, in steps that shrink."""
    count = len(places)
    degree = np.bincount(ends.ravel(), minlength=count).astype(np.float64)
    mass = np.sqrt(1 + degree)
    steps = 400 if count <= 2000 else 250
    grid = next(size for size in (32, 64, 128, 256) if size**2 >= 8 * count or size == 256)
    kernel = _kernel(grid)
    for step in range(steps):
        force = _REPULSION * _repulsion(places, mass, grid, kernel)
        force += _ATTRACTION * _attraction(places, ends, weights)
        force -= _GRAVITY * (mass / mass.mean())[:, None] * places / math.sqrt(count)
        length = np.hypot(*force.T)
        limit = 0.12 * math.sqrt(count) * (1 - step / steps) ** 1.5 + 0.01
        stride = np.minimum(length / mass**2, limit) / np.maximum(length, 1e-12)
        places = places + force * stride[:, None]
    return places


def _attraction(places: _Floats, ends: _Ints, weights: _Floats) -> _Floats:
    """The pull of the edges, which grows slowly with their length, so that clusters stand apart."""
    first, second = ends[:, 0], ends[:, 1]
    gap = places[second] - places[first]
    distance = np.hypot(gap[:, 0], gap[:, 1])
    pull = gap * (weights * np.log1p(distance) / np.maximum(distance, 1e-9))[:, None]
    force = np.zeros_like(places)
    for axis in (0, 1):
        force[:, axis] += np.bincount(first, pull[:, axis], len(places))
        force[:, axis] -= np.bincount(second, pull[:, axis], len(places))
    return force


def _kernel(grid: int) -> npt.NDArray[np.complex128]:
    """Spectrum of the force between cells; real part of the place across, imaginary part down."""
    offset = np.fft.fftfreq(2 * grid, 1 / (2 * grid))
    across, down = np.meshgrid(offset, offset, indexing="ij")
    square = across**2 + down**2 + 0.25
    square[0, 0] = np.inf
    spectrum: npt.NDArray[np.complex128] = np.fft.fft2((across + 1j * down) / square)
    return spectrum


def _repulsion(places: _Floats, mass: _Floats, grid: int, kernel: npt.NDArray[np.complex128]) -> _Floats:
    """What all nodes do to each, by way of a grid."""
    low = places.min(axis=0)
    cell = max(float((places.max(axis=0) - low).max()) / (grid - 2), 1e-9)
    spot = (places - low) / cell
    base = spot.astype(np.int64)
    part = spot - base
    field = np.zeros((2 * grid, 2 * grid))
    corners = []
    for across, down in ((0, 0), (0, 1), (1, 0), (1, 1)):
        share = np.abs(1 - across - part[:, 0]) * np.abs(1 - down - part[:, 1])
        row, column = base[:, 0] + across, base[:, 1] + down
        corners.append((row, column, share))
        np.add.at(field, (row, column), share * mass)
    push = np.fft.ifft2(np.fft.fft2(field) * kernel) / cell
    found = sum(push[row, column] * share for row, column, share in corners)
    return np.stack([np.real(found), np.imag(found)], axis=1) * mass[:, None]


def _part(places: _Floats, sizes: _Floats) -> _Floats:
    """Moves nodes that overlap apart: each against the next ones of its row, then of its column."""
    for turn in range(60):
        axis = turn % 2
        order = np.lexsort((places[:, 1 - axis], np.floor(places[:, axis] / 40)))
        moved = False
        for step in range(1, min(12, len(places))):
            first, second = order[:-step], order[step:]
            gap = places[second] - places[first]
            distance = np.hypot(gap[:, 0], gap[:, 1])
            lack = np.maximum(sizes[first] + sizes[second] + 8 - distance, 0)
            if not lack.any():
                continue
            moved = True
            away = np.where(distance[:, None] > 1e-6, gap / np.maximum(distance, 1e-6)[:, None], (1.0, 0.0))
            shift = away * (lack / 2)[:, None] * 0.8
            np.add.at(places, first, -shift)
            np.add.at(places, second, shift)
        if not moved and turn > 2:
            break
    return places


def columns(
    years: Mapping[str, int], order: Sequence[str], sizes: Mapping[str, float]
) -> dict[str, tuple[int, int]]:
    """Places by year: a column for each year that occurs, the first of `order` nearest to the middle line.

    A year with many nodes has several of them beside each other, as many as make the picture wider than high.
    """
    if not years:
        return {}
    counts = Counter(years.values())
    rows = min(range(1, _MOST_ROWS), key=lambda rows: abs(math.log(_shape(counts.values(), rows) / _ASPECT)))
    left, places = 0.0, {}
    for year in sorted(counts):
        nodes = [node for node in order if years[node] == year]
        beside = math.ceil(len(nodes) / rows)
        for part in range(beside):
            own = nodes[part::beside]
            half = max(_ACROSS / 2, *(sizes[node] + 6 for node in own))
            heights = _stacked([sizes[node] for node in own])
            places.update(
                {node: (round(left + half), round(y)) for node, y in zip(own, heights, strict=True)}
            )
            left += 2 * half
        left += _BETWEEN
    return {node: places[node] for node in order}


def _shape(counts: Collection[int], rows: int) -> float:
    """How wide columns of so many rows are, measured by their height."""
    width = sum(math.ceil(count / rows) * _ACROSS + _BETWEEN for count in counts)
    return width / (min(rows, max(counts, default=1)) * _DOWN)


def _stacked(sizes: Sequence[float]) -> list[float]:
    """Heights of nodes that do not overlap: the first in the middle, then below and above by turns."""
    halves = [max(_DOWN / 2, size + 6) for size in sizes]
    ends = [-halves[0], halves[0]]
    heights = []
    for index, half in enumerate(halves):
        below = index % 2
        heights.append((ends[below] + half) * (1 if below else -1))
        ends[below] += 2 * half
    return heights
