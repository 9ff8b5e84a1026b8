"""What a paper, a mention, a concept, a relation and a code link *are*.

Everyone may import this module; it imports nobody here. The classes are plain immutable records: they hold
strings, numbers and offsets, never a spaCy object, so that they can cross processes and be stored.

Offsets count characters of `Paper.text` (title, newline, abstract), end exclusive.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

__all__ = [
    "ROLE_RELATIONS",
    "CodeLink",
    "CodeRole",
    "CodeStatus",
    "Concept",
    "ConceptType",
    "Extraction",
    "Mention",
    "Paper",
    "Rejected",
    "Relation",
    "RelationType",
    "Role",
    "fold_text",
]


class ConceptType(StrEnum):
    """The five types of a concept."""

    METHOD = "Method"
    TASK = "Task"
    DATASET = "Dataset"
    METRIC = "Metric"
    TERM = "Term"


class Role(StrEnum):
    """What a paper has to do with a concept."""

    PROPOSES = "proposes"
    USES = "uses"
    COMPARES = "compares"
    TASKS = "tasks"
    DATASETS = "datasets"
    METRICS = "metrics"


class RelationType(StrEnum):
    """What a text states between two concepts."""

    USED_FOR = "used-for"
    IS_A = "is-a"
    PART_OF = "part-of"
    IMPROVES = "improves"
    COMPARED_WITH = "compared-with"
    EVALUATED_ON = "evaluated-on"
    MEASURED_BY = "measured-by"
    TRAINED_ON = "trained-on"


class CodeRole(StrEnum):
    """Whose the thing behind an address is: the paper's code, its data, its page, or somebody else's."""

    OFFICIAL = "official"
    DATA = "data"
    PROJECT = "project"
    OTHER = "other"


class CodeStatus(StrEnum):
    """What a paper says of its code."""

    LINKED = "linked"
    PROMISED = "promised"
    MENTIONED = "mentioned"
    NONE = "none"


#: Role of a concept in a paper -> relation of the graph. A concept without a role is MENTIONS.
ROLE_RELATIONS: Mapping[Role, str] = {
    Role.PROPOSES: "PROPOSES",
    Role.USES: "USES",
    Role.COMPARES: "COMPARES_WITH",
    Role.TASKS: "ADDRESSES",
    Role.DATASETS: "EVALUATES_ON",
    Role.METRICS: "MEASURES",
}


#: Of each byte, what it is folded to: small letters, digits, and blanks in place of all else.
_ASCII_FOLDED = bytes(ord(chr(code).lower()) if chr(code).isalnum() else 32 for code in range(128)).ljust(256)


def fold_text(text: str) -> str:
    """Folds a title or an abstract for comparison: compatibility forms, case, punctuation and white space.

    Letters and digits of every script stay, so that "Part I" and "Part II" differ and no title of another
    script becomes empty.

    >>> fold_text("A Census of Robot Play–Fighting  Studies.")
    'a census of robot play fighting studies'
    """
    if text.isascii():
        return b" ".join(text.encode().translate(_ASCII_FOLDED).split()).decode()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return re.sub(r"[\W_]+", " ", folded).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One paper as a reader gives it: bibliographic fields and the text to extract from.

    `title` is on one line or None; `abstract` keeps its inner characters. `source_ids` are ids of the input
    (they may repeat between inputs and are never identity). `doi` is lower case without a resolver,
    `arxiv_id` has no version. `code_urls` are addresses of code that the input states in a field of its own.
    `years` keeps every year that merged records gave; `year` is the earliest. `status` is "withdrawn" for a
    paper whose abstract is only the notice of its withdrawal, else "". `keys` are the identity keys of the
    records that were merged into it; empty for a record that stands for itself.
    """

    abstract: str
    title: str | None = None
    source_ids: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    year: int | None = None
    years: tuple[int, ...] = ()
    venue: str | None = None
    url: str | None = None
    doi: str | None = None
    arxiv_id: str | None = None
    code_urls: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    status: str = ""
    keys: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Title, newline, abstract: what offsets count in."""
        return f"{self.title or ''}\n{self.abstract}"

    @property
    def id(self) -> str:
        """Node id: the DOI, else the arXiv id, else the SHA-1 of folded title and abstract.

        A paper without an abstract has its authors and year in place of it: every volume has a "Preface".
        """
        if self.doi:
            return f"paper:doi:{self.doi}"
        if self.arxiv_id:
            return f"paper:arxiv:{self.arxiv_id}"
        told = fold_text(self.abstract) or fold_text(" ".join((*self.authors, str(self.year or ""))))
        folded = f"{fold_text(self.title or '')}\n{told}"
        return f"paper:sha1:{hashlib.sha1(folded.encode('utf-8', 'replace')).hexdigest()}"

    @property
    def record_id(self) -> str:
        """The `id` of the extraction record: as given in the input, else the node id."""
        return self.source_ids[0] if self.source_ids else self.id


@dataclass(frozen=True, slots=True)
class Rejected:
    """A record that could not be read: where it stands and why."""

    file: str
    line: int | None
    reason: str

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line is not None else self.file
        return f"{place}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Mention:
    """One place in a paper's text that names a concept."""

    start: int
    end: int
    text: str
    type: ConceptType
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """What one paper says of one concept.

    `mentions` are indices into `Extraction.mentions`. `roles` maps each role that the paper gives the concept
    to its score and to the (start, end) of the sentence that shows it.
    """

    name: str
    type: ConceptType
    score: float
    mentions: tuple[int, ...]
    aliases: tuple[str, ...] = ()
    roles: Mapping[Role, tuple[float, int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two concepts of one paper, as its text states it; names are concept names."""

    head: str
    relation: RelationType
    tail: str
    score: float
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeLink:
    """An address in a paper, normalised; `start` and `end` are None where a field of the input gave it.

    `kind` is repository, model, dataset, demo, archive, page, paper or package. `ref` and `path` are the
    branch and the folder that the address pointed to. `flags` holds what is doubtful, e.g. "incomplete" or
    "suspicious".
    """

    url: str
    host: str
    owner: str
    name: str
    role: CodeRole
    start: int | None
    end: int | None
    kind: str = "repository"
    ref: str = ""
    path: str = ""
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """Everything that was read out of one paper; `sentences` are (start, end) pairs into `text`."""

    id: str
    title: str | None
    text: str
    sentences: tuple[tuple[int, int], ...] = ()
    mentions: tuple[Mention, ...] = ()
    concepts: tuple[Concept, ...] = ()
    relations: tuple[Relation, ...] = ()
    code_links: tuple[CodeLink, ...] = ()
    code_status: CodeStatus = CodeStatus.NONE
    extractor: str = ""

    def to_record(self) -> dict[str, Any]:
        """The extraction record: one JSON object, the contract that evaluation uses."""
        return {
            "id": self.id,
            "title": self.title,
            "text": self.text,
            "sentences": [list(pair) for pair in self.sentences],
            "mentions": [
                {"start": m.start, "end": m.end, "text": m.text, "type": m.type.value, "score": m.score}
                for m in self.mentions
            ],
            "concepts": [_concept_record(concept) for concept in self.concepts],
            "relations": [
                {
                    "head": r.head,
                    "relation": r.relation.value,
                    "tail": r.tail,
                    "score": r.score,
                    "evidence": [r.start, r.end],
                }
                for r in self.relations
            ],
            "code_links": [_link_record(link) for link in self.code_links],
            "code_status": self.code_status.value,
            "extractor": self.extractor,
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Extraction:
        """The inverse of `to_record`; raises KeyError or ValueError on a record of another shape."""
        return cls(
            id=record["id"],
            title=record["title"],
            text=record["text"],
            sentences=tuple((start, end) for start, end in record.get("sentences", ())),
            mentions=tuple(
                Mention(m["start"], m["end"], m["text"], ConceptType(m["type"]), m["score"])
                for m in record["mentions"]
            ),
            concepts=tuple(_concept_of(item) for item in record["concepts"]),
            relations=tuple(
                Relation(r["head"], RelationType(r["relation"]), r["tail"], r["score"], *_pair(r["evidence"]))
                for r in record["relations"]
            ),
            code_links=tuple(_link_of(item) for item in record["code_links"]),
            code_status=CodeStatus(record["code_status"]),
            extractor=record.get("extractor", ""),
        )


def _pair(values: Sequence[int]) -> tuple[int, int]:
    start, end = values
    return start, end


def _concept_record(concept: Concept) -> dict[str, Any]:
    return {
        "name": concept.name,
        "type": concept.type.value,
        "roles": [role.value for role in concept.roles],
        "aliases": list(concept.aliases),
        "score": concept.score,
        "mentions": list(concept.mentions),
        "evidence": {
            role.value: {"score": score, "start": start, "end": end}
            for role, (score, start, end) in concept.roles.items()
        },
    }


def _concept_of(item: Mapping[str, Any]) -> Concept:
    evidence = item.get("evidence", {})
    return Concept(
        name=item["name"],
        type=ConceptType(item["type"]),
        score=item["score"],
        mentions=tuple(item["mentions"]),
        aliases=tuple(item["aliases"]),
        roles={
            Role(role): (evidence[role]["score"], evidence[role]["start"], evidence[role]["end"])
            for role in item["roles"]
        },
    )


def _link_record(link: CodeLink) -> dict[str, Any]:
    record: dict[str, Any] = {
        "url": link.url,
        "host": link.host,
        "owner": link.owner,
        "name": link.name,
        "role": link.role.value,
        "start": link.start,
        "end": link.end,
        "kind": link.kind,
    }
    if link.ref:
        record["ref"] = link.ref
    if link.path:
        record["path"] = link.path
    if link.flags:
        record["flags"] = list(link.flags)
    return record


def _link_of(item: Mapping[str, Any]) -> CodeLink:
    return CodeLink(
        url=item["url"],
        host=item["host"],
        owner=item["owner"],
        name=item["name"],
        role=CodeRole(item["role"]),
        start=item["start"],
        end=item["end"],
        kind=item.get("kind", "repository"),
        ref=item.get("ref", ""),
        path=item.get("path", ""),
        flags=tuple(item.get("flags", ())),
    )
