"""Small networks with random weights, for tests."""

from __future__ import annotations

import numpy as np

from extractors.network import CONCEPT_FLAGS, DISTANCES, PAIR_FLAGS, Network
from extractors.relations import LABELS
from extractors.roles import ROLE_LABELS
from extractors.tagger import TAGS
from extractors.words import COLUMNS, PLACE_ROWS
from kg.schema import ConceptType

WIDTH, INNER, TABLE = 8, 6, 3


def network(seed: int = 0, plan: tuple[int, ...] = (1, 0, 2)) -> Network:
    """A network of width 8 that knows one word."""
    random = np.random.default_rng(seed)
    types = len(ConceptType)
    shapes: dict[str, tuple[int, ...]] = {
        f"tables.{index}": (size or 2, TABLE) for index, size in enumerate(COLUMNS.values())
    }
    shapes |= {"place": (PLACE_ROWS, TABLE)}
    linear = {"join": (TABLE * (len(COLUMNS) + 1), WIDTH), "head": (WIDTH, len(TAGS))}
    linear |= {"roles.join": (2 * WIDTH, INNER), "roles.out": (INNER, len(ROLE_LABELS))}
    linear |= {"pairs.between": (WIDTH, INNER), "pairs.out": (INNER, len(LABELS))}
    for index, dilation in enumerate(plan):
        if dilation:
            shapes |= {f"layers.{index}.conv": (3, WIDTH, 2 * WIDTH), f"layers.{index}.bias": (2 * WIDTH,)}
        else:
            linear |= {f"layers.{index}.qkv": (WIDTH, 3 * WIDTH), f"layers.{index}.out": (WIDTH, WIDTH)}
    for name, shape in linear.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[1:]}
    shapes |= {"roles.type": (types, INNER), "roles.flags": (CONCEPT_FLAGS, INNER)}
    shapes |= {"pairs.distance": (DISTANCES, INNER), "pairs.flags": (PAIR_FLAGS, INNER)}
    for side in ("left", "right"):
        shapes |= {f"pairs.{side}": (WIDTH, INNER), f"pairs.{side}_type": (types, INNER)}
        shapes |= {f"pairs.{side}_concept": (WIDTH + len(ROLE_LABELS), INNER)}
    weights = {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    return Network(weights, plan)
