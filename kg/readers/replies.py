"""What stands beside papers on OpenReview: reviews, decisions, comments and other replies to them.

Their "summary" is no abstract and their "title" is not that of a paper.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kg.readers.values import loose_text, one_line

__all__ = ["reply"]

_KIND = re.compile(r"/-/(\w{0,40}(?:review|comment|decision|rebuttal|response))$", re.IGNORECASE)
_SIGNS = frozenset("rating review confidence soundness strengths weaknesses".split())
#: What a paper has and a review has not.
_OF_PAPERS = frozenset("abstract author authors doi arxiv arxiv_id externalids".split())


def reply(record: Mapping[str, Any]) -> str:
    """What a record is that is a reply to a paper; "" for any other.

    Args:
        record: The fields of a note, those of its content among them.
    """
    fields = {str(name).casefold(): value for name, value in record.items() if value}
    if loose_text(fields.get("abstract")):
        return ""
    kind = _KIND.search(_invitation(fields))
    if kind:
        return f"an OpenReview {kind[1].replace('_', ' ').strip().casefold()}"
    answered = fields.get("replyto")
    if isinstance(answered, str) and "forum" in fields and answered != fields.get("id"):
        return f"a reply on OpenReview to {one_line(answered)[:40]!r}"
    signs = sorted(fields.keys() & _SIGNS)
    told = "review" in fields or "summary" in fields
    if told and len(signs) > ("title" in fields) and not fields.keys() & _OF_PAPERS:
        return f"a review (it has {' and '.join(signs)})"
    return ""


def _invitation(fields: Mapping[str, Any]) -> str:
    """What a note was written for; later ones are those by which it was changed."""
    given = fields.get("invitation") or fields.get("invitations")
    return loose_text(given[0] if isinstance(given, list) and given else given)
