"""What stands behind an address: host, owner, name and kind of a code repository, model, data set or page.

`normalise` turns one address, as cleaned of the text around it, into its canonical form (RFC 3986, section
6.2: case of the host, default port, percent-encoding of unreserved characters), and reads the paths of the
hosts that papers give for code. Letter case of owner and name stays as written; `Address.key` folds it where
the host does. Nothing is looked up on a network.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from urllib.parse import unquote

__all__ = ["CODE_HOSTS", "Address", "normalise"]

#: Hosts that count without a scheme when a path follows.
CODE_HOSTS: tuple[str, ...] = (
    "anonymous.4open.science",
    "bit.ly",
    "bitbucket.org",
    "codeberg.org",
    "colab.research.google.com",
    "cran.r-project.org",
    "doi.org",
    "figshare.com",
    "gist.github.com",
    "git.io",
    "gitee.com",
    "github.com",
    "github.io",
    "gitlab.com",
    "goo.gl",
    "hf.co",
    "huggingface.co",
    "kaggle.com",
    "osf.io",
    "pypi.org",
    "sites.google.com",
    "sourceforge.net",
    "tinyurl.com",
    "zenodo.org",
)

_PARTS = re.compile(
    r"(?:git\+)?(?:(?P<scheme>https?|ssh|git)://)?(?:[\w.-]{1,80}@)?(?P<www>www\.)?"
    r"(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,24}\b)(?::\d{1,5}(?=/|\?|#|$)|:)?(?P<rest>.*)",
    re.ASCII | re.IGNORECASE | re.DOTALL,
)
_UNRESERVED = re.compile(r"%(2D|2E|5F|7E|3[0-9]|4[1-9A-F]|5[0-9A]|6[1-9A-F]|7[0-9A])", re.IGNORECASE)
_TEX_LEFTOVER = re.compile(r"\\(?:protect|T1)\s?")
_TEX_UNDERSCORE = re.compile(r"\\textunderscore\s?|\\_")
_NAME = re.compile(r"[\w.-]+", re.ASCII)
_GLUED = re.compile(r"\.(?:The|We|Our|In|This|These|Code|Codes|Data|It|Keywords|Experiments?|Results?)$")

_FOLDING = frozenset({"repository", "model", "dataset", "demo", "package"})
_NO_OWNER = frozenset(
    "about apps blog collections enterprise explore features issues login marketplace notifications "
    "organizations orgs pricing search settings site sponsors topics trending users".split()
)
_ELSEWHERE = re.compile(
    r"(?:^|\.)(?:arxiv\.org|youtu\.be|youtube\.com|vimeo\.com|bilibili\.com|openreview\.net|aclanthology\.org"
    r"|aclweb\.org|doi\.org|dl\.acm\.org|ieeexplore\.ieee\.org|springer\.com|sciencedirect\.com|nature\.com"
    r"|semanticscholar\.org|wikipedia\.org|twitter\.com|x\.com|linkedin\.com|facebook\.com|medium\.com"
    r"|proceedings\.mlr\.press|thecvf\.com|neurips\.cc|creativecommons\.org|w3\.org|biorxiv\.org|ssrn\.com)$"
)
_ARCHIVE_DOI = re.compile(
    r"10\.(?:5281/zenodo|6084/m9\.figshare|17605/osf\.io|7910/dvn|17632|5061/dryad|57967/hf|21227)[./]?[\w./-]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Address:
    """A normalised address; the fields mean what they mean in `kg.schema.CodeLink`."""

    url: str
    host: str
    owner: str = ""
    name: str = ""
    kind: str = "page"
    ref: str = ""
    path: str = ""
    flags: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Equal for two addresses of one thing."""
        address = re.sub(r"^https?://(?:www\.)?", "", self.url).rstrip("/")
        return address.casefold() if self.kind in _FOLDING and "4open" not in self.host else address


def normalise(address: str) -> Address | None:
    """The canonical form of an address, or None where it leads to no code, data or page of a paper.

    Papers, videos and social networks are no code (Hugging Face's paper pages are kept, with kind "paper").
    An address that ends in a hyphen is flagged "incomplete"; a repository path under github.io, which was
    meant for another host, "suspicious"; an anonymous mirror, "anonymous".

    >>> normalise("http://www.GitHub.com/o/r.git").url
    'https://github.com/o/r'
    """
    parts = _PARTS.fullmatch(address.strip())
    if parts is None:
        return None
    host = parts["host"].lower()
    found = _reader(host)(host, _unescaped(parts["rest"]))
    if found is None:
        return None
    if found.kind != "page" and not found.name:
        found = replace(found, kind="page", url=found.url.rstrip("/"))
    if found.kind == "page":
        found = replace(found, url=_as_written(found.url, parts["scheme"] or "", parts["www"] or ""))
    return replace(found, flags=(*found.flags, "incomplete")) if found.url.endswith("-") else found


def _as_written(url: str, scheme: str, www: str) -> str:
    """A page may answer on http or on www alone: both stay."""
    return f"{'http' if scheme.lower() == 'http' else 'https'}://{www.lower()}{url.removeprefix('https://')}"


def _unescaped(rest: str) -> str:
    """Percent-encoded letters, digits, "-", ".", "_" and "~" decoded: they are the same address."""
    return _UNRESERVED.sub(_decoded, rest)


def _decoded(code: re.Match[str]) -> str:
    return chr(int(code[1], 16))


def _segments(rest: str) -> list[str]:
    """Path segments, decoded, without query, fragment and what LaTeX left of an underscore."""
    path = unquote(re.split(r"[?#]", rest, maxsplit=1)[0])
    path = _TEX_LEFTOVER.sub("", _TEX_UNDERSCORE.sub("_", path)).replace("\\", "")
    return [segment.strip() for segment in path.split("/") if segment.strip()]


def _repository_name(segment: str) -> str:
    named = _NAME.match(segment)
    name = _GLUED.sub("", named[0].rstrip(".")) if named else ""
    return name[:-4] if name.lower().endswith(".git") else name


def _pointed(rest: list[str]) -> tuple[str, str]:
    """Branch and folder of /tree/REF/PATH and its like."""
    rest = rest[1:] if rest[:1] == ["-"] else rest
    if len(rest) < 2 or rest[0] not in {
        "tree",
        "blob",
        "src",
        "raw",
        "edit",
        "resolve",
        "commit",
        "releases",
    }:
        return "", "/".join(rest)
    return rest[1], "/".join(rest[2:])


def _forge(host: str, rest: str) -> Address | None:
    """owner/name, as on GitHub; an owner alone is a page."""
    segments = _segments(rest)
    if not segments:
        return None
    owner = segments[0]
    name = _repository_name(segments[1]) if len(segments) > 1 else ""
    if not name or owner in _NO_OWNER:
        owner = "" if owner in _NO_OWNER else owner.rstrip(".")
        return Address("/".join([f"https://{host}", *segments]), host, owner)
    ref, path = _pointed(segments[2:])
    return Address(f"https://{host}/{owner}/{name}", host, owner, name, "repository", ref, path)


def _gitlab(host: str, rest: str) -> Address | None:
    """Groups within groups; "-" parts the project from what is inside it."""
    segments = _segments(rest)
    inside = next((i for i, s in enumerate(segments) if i > 1 and s in {"-", "tree", "blob"}), len(segments))
    name = _repository_name(segments[inside - 1]) if inside > 1 else ""
    if not name:
        return _forge(host, "/".join(segments[:1]))
    owner = "/".join(segments[: inside - 1])
    ref, path = _pointed(segments[inside:])
    return Address(f"https://{host}/{owner}/{name}", host, owner, name, "repository", ref, path)


def _raw_github(_: str, rest: str) -> Address | None:
    return _forge("github.com", rest)


def _hugging_face(_: str, rest: str) -> Address | None:
    host, segments = "huggingface.co", _segments(rest)
    kinds = {"datasets": "dataset", "spaces": "demo", "papers": "paper", "collections": "page"}
    kind = kinds.get(segments[0], "model") if segments else "page"
    prefix, own = (segments[:1], segments[1:]) if kind != "model" else ([], segments)
    if not own:
        return None
    if kind in {"paper", "page"}:
        return Address("/".join([f"https://{host}", *segments]), host, name=own[-1], kind=kind)
    if len(own) == 1 and kind != "dataset":
        return Address("/".join([f"https://{host}", *segments]), host, own[0])
    name = _repository_name(own[min(1, len(own) - 1)])
    owner = own[0] if len(own) > 1 else ""
    ref, path = _pointed(own[2:])
    return Address(
        "/".join([f"https://{host}", *prefix, *own[:-1][:1], name]), host, owner, name, kind, ref, path
    )


def _anonymous(host: str, rest: str) -> Address | None:
    segments = _segments(rest)
    own = segments[1:] if segments[:1] in (["r"], ["repository"], ["anonymize"]) else segments
    if not own:
        return None
    if own[0] == "w":
        return replace(_page(host, rest), flags=("anonymous",))
    name = own[0].rstrip(".")
    path = "/".join(own[1:])
    return Address(f"https://{host}/r/{name}", host, "", name, "repository", "", path, ("anonymous",))


def _sourceforge(host: str, rest: str) -> Address | None:
    segments = _segments(rest)
    if len(segments) < 2 or segments[0] not in {"projects", "p"}:
        return _page(host, rest)
    name = _repository_name(segments[1])
    path = "/".join(segments[2:])
    return Address(f"https://{host}/projects/{name}", host, "", name, "repository", "", path)


def _archive(host: str, rest: str) -> Address | None:
    segments = _segments(rest)
    if not segments:
        return None
    own = segments[1:] if segments[0] in {"doi", "badge"} else segments
    if own and own[0].startswith("10."):
        return _doi("doi.org", "/" + "/".join(own))
    number = own[-1].rstrip(".") if own else ""
    return Address("/".join([f"https://{host}", *segments]), host, "", number, "archive")


def _doi(host: str, rest: str) -> Address | None:
    """Only the DOIs of data and software archives; any other is a paper."""
    doi = _ARCHIVE_DOI.match(rest.lstrip("/"))
    if doi is None:
        return None
    name = doi[0].rstrip("./")
    return Address(f"https://doi.org/{name}", "doi.org", "", name, "archive")


def _kaggle(host: str, rest: str) -> Address | None:
    segments = _segments(rest)
    shape = segments[1:] if segments[:1] in (["datasets"], ["code"]) else segments
    if len(shape) < 2 or segments[0] in {"competitions", "c"}:
        return replace(_page(host, rest), name=shape[-1] if shape else "")
    kind = "demo" if segments[0] == "code" else "dataset"
    return Address("/".join([f"https://{host}", *segments]), host, shape[0], shape[1], kind)


def _colab(host: str, rest: str) -> Address | None:
    segments = _segments(rest)
    if segments[:1] == ["github"]:
        return _forge("github.com", "/" + "/".join(segments[1:]))
    return (
        Address("/".join([f"https://{host}", *segments]), host, "", segments[-1], "demo")
        if segments
        else None
    )


def _package(host: str, rest: str) -> Address | None:
    found = re.search(r"(?:project/|package=|packages/)([\w.-]*\w)", rest)
    if found is None:
        return _page(host, rest)
    prefix = "project/" if host == "pypi.org" else "package="
    return Address(f"https://{host}/{prefix}{found[1]}", host, "", found[1], "package")


def _misplaced(host: str, rest: str) -> Address | None:
    """A bare github.io: no page lives there, so the address is kept as written and flagged."""
    segments = _segments(rest)
    if not segments:
        return None
    return Address(f"https://{host}{rest}", host, segments[0], segments[-1], flags=("suspicious",))


def _page(host: str, rest: str) -> Address:
    segments = _segments(rest)
    hosted = re.fullmatch(r"([\w-]+)\.(?:git\w+\.io|gitlab\.io|gitee\.io|pages\.dev|sourceforge\.\w+)", host)
    owner = hosted[1] if hosted else ""
    return Address(f"https://{host}{rest}", host, owner, segments[0] if segments else owner)


def _nowhere(_: str, __: str) -> Address | None:
    return None


_READERS: dict[str, Callable[[str, str], Address | None]] = {
    "anonymous.4open.science": _anonymous,
    "bitbucket.org": _forge,
    "codeberg.org": _forge,
    "colab.research.google.com": _colab,
    "cran.r-project.org": _package,
    "doi.org": _doi,
    "dx.doi.org": _doi,
    "figshare.com": _archive,
    "gist.github.com": _forge,
    "git.sr.ht": _forge,
    "gitee.com": _forge,
    "github.com": _forge,
    "github.io": _misplaced,
    "hf.co": _hugging_face,
    "huggingface.co": _hugging_face,
    "kaggle.com": _kaggle,
    "osf.io": _archive,
    "pypi.org": _package,
    "raw.githubusercontent.com": _raw_github,
    "sourceforge.net": _sourceforge,
    "sr.ht": _forge,
    "zenodo.org": _archive,
}


def _reader(host: str) -> Callable[[str, str], Address | None]:
    known = _READERS.get(host)
    if known is not None:
        return known
    if _ELSEWHERE.search(host):
        return _nowhere
    if host.startswith("gitlab."):
        return _gitlab
    return _forge if host.startswith(("github.", "git.", "gitea.", "bitbucket.")) else _page
