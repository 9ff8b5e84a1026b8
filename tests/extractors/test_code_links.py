"""Addresses in raw text: found, cleaned, normalised, and given a role and a status."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from extractors.code_links import find_code_links
from kg.schema import CodeLink, CodeRole, CodeStatus
from tests.conftest import json_lines

G = "https://github.com"


def urls(text: str) -> list[str]:
    return [link.url for link in find_code_links(text)[0]]


def test_link_is_given_whole() -> None:
    text = "Title\nOur code is available at http://www.GitHub.com/Lab/Kit/tree/v2/src/a.py#L3."

    found = find_code_links(text)

    link = CodeLink(
        url=f"{G}/Lab/Kit",
        host="github.com",
        owner="Lab",
        name="Kit",
        role=CodeRole.OFFICIAL,
        start=31,
        end=len(text) - 1,
        ref="v2",
        path="src/a.py",
    )
    assert found == ((link,), CodeStatus.LINKED)


CASES = [
    pytest.param("We release training code at this https URL and weights at this http URL.", [], id="c1-02"),
    pytest.param(
        "We port the controller to Vue.js and Socket.IO and compare with scikit.learn v1.2.", [], id="c1-03"
    ),
    pytest.param("We present tensorgrid.py and meshkit.jl, two libraries for sparse arrays.", [], id="c1-04"),
    pytest.param(
        "Homepage: https://github.com/example-lab/foo%5Cprotect%20%5CT1%5Ctextunderscore%20bar",
        [f"{G}/example-lab/foo_bar"],
        id="c1-07",
    ),
    pytest.param(r"https://github.com/example-lab/S\_Index", [f"{G}/example-lab/S_Index"], id="c1-08"),
    pytest.param(r"https://github.com/example-lab/S\\_Index", [f"{G}/example-lab/S_Index"], id="c1-08-twice"),
    pytest.param(
        "Code: https://github.com/example-lab/foo_bar (mirror of https://github.com/example-lab/foo%5Fbar).",
        [f"{G}/example-lab/foo_bar"],
        id="c1-09",
    ),
    pytest.param(
        "Our implementation is available at https://github.com/example-lab/speech-\ntoolkit-v2 "
        "and trains in a day.",
        [f"{G}/example-lab/speech-toolkit-v2"],
        id="c1-10",
    ),
    pytest.param(
        "Models can be downloaded from https://github.com/example-lab/ segkit (last accessed May 2024).",
        [f"{G}/example-lab/segkit"],
        id="c1-12",
    ),
    pytest.param(
        "(code: https://github.com/example-lab/foo?tab=readme-ov-file), "
        "(data: https://huggingface.co/datasets/example-lab/foo?row=3).",
        [f"{G}/example-lab/foo", "https://huggingface.co/datasets/example-lab/foo"],
        id="c1-14",
    ),
    pytest.param(
        "Data: [https://doi.org/10.5281/zenodo.1234567]()",
        ["https://doi.org/10.5281/zenodo.1234567"],
        id="c1-17",
    ),
    pytest.param(
        "Code: https://github.com/example-lab/mono/tree/master/packages/foo and "
        "https://github.com/example-lab/mono/blob/main/foo/train.py#L10",
        [f"{G}/example-lab/mono"],
        id="c1-18",
    ),
    pytest.param(
        "http://www.GitHub.com/Example-Lab/Foo.git, https://github.com/example-lab/foo/, "
        "git@github.com:example-lab/foo.git, https://github.com:443/example-lab/foo, "
        "git+https://github.com/example-lab/foo",
        [f"{G}/Example-Lab/Foo"],
        id="c1-19",
    ),
    pytest.param(
        "We extend https://github.com/example-lab/llm.c and https://github.com/example-lab/.dotconf; "
        "see also https://github.com/example-lab/foo.js.",
        [f"{G}/example-lab/llm.c", f"{G}/example-lab/.dotconf", f"{G}/example-lab/foo.js"],
        id="c1-20",
    ),
    pytest.param(
        "Public code: https://github.com/orbit/kit. Internal copy: https://github.orbit.example/orbit/kit. "
        "Mirror: https://gitlab.com/orbit/kit.",
        [f"{G}/orbit/kit", "https://github.orbit.example/orbit/kit", "https://gitlab.com/orbit/kit"],
        id="c1-21",
    ),
    pytest.param(
        "Implementation: https://anonymous.4open.science/r/RingNet-7C2A/README.md and "
        "https://anonymous.4open.science/r/RingNet-7C2A.",
        ["https://anonymous.4open.science/r/RingNet-7C2A"],
        id="c1-26",
    ),
    pytest.param(
        "Data and code: https://github.io/example-lab/icu-risk. "
        "Project page: https://example-lab.github.io/icu-risk/.",
        ["https://github.io/example-lab/icu-risk", "https://example-lab.github.io/icu-risk/"],
        id="c1-27",
    ),
    pytest.param(
        r"A demo is at \href{https://example-lab.github.io/demo%20page/}{this page} and code at "
        r"\href{https://github.com/example-lab/demo}{GitHub}. We evaluate on MNIST.",
        ["https://example-lab.github.io/demo%20page/", f"{G}/example-lab/demo"],
        id="c1-29",
    ),
    pytest.param(
        "Code at http://github.com/example-lab/atlas/tree/maps-2020", [f"{G}/example-lab/atlas"], id="c1-32"
    ),
    pytest.param(r"\url{https://github.com/example-lab/fft}", [f"{G}/example-lab/fft"], id="c4-06"),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_addresses_are_found_and_normalised(text: str, expected: list[str]) -> None:
    assert urls(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Code: github.com/o/r", [f"{G}/o/r"]),
        ("Code: GITHUB.com/o/r", [f"{G}/o/r"]),
        ("make it available atgithub.com/o/r_s.", [f"{G}/o/r_s"]),
        ("see https: //github.com/o/r .", [f"{G}/o/r"]),
        ("see https://github. com/o/r.", [f"{G}/o/r"]),
        ("place11https://github.com/o/r", [f"{G}/o/r"]),
        ("available: https://github.com/o/r.The rest", [f"{G}/o/r"]),
        ('at https://github.com/o/r."', [f"{G}/o/r"]),
        ("<https://github.com/o/r>", [f"{G}/o/r"]),
        ("&lt;https://github.com/o/r&gt;", [f"{G}/o/r"]),
        ("https://github.com/o/r(code)", [f"{G}/o/r"]),
        ("**https://github.com/o/r**", [f"{G}/o/r"]),
        ("_https://github.com/o/r_", [f"{G}/o/r"]),
        ("[Github](https://github.com/o/r)", [f"{G}/o/r"]),
        ("[https://github.com/o/r](https://github.com/o/r)", [f"{G}/o/r"]),
        (r"\footnote{\url{https://github.com/o/r{\_}s}}", [f"{G}/o/r_s"]),
        (r"https://github.com/o/r\textunderscore s", [f"{G}/o/r_s"]),
        (r"at https://www.cs.example.edu/\~{}ann/kit", ["https://www.cs.example.edu/~ann/kit"]),
        (r"at https://www.cs.example.edu/$\sim$ann/kit", ["https://www.cs.example.edu/~ann/kit"]),
        ("found at pages.example.edu/~ann/kit.html.", ["https://pages.example.edu/~ann/kit.html"]),
        (r"https:\/\/github.com\/o\/r", [f"{G}/o/r"]),
        ("https://github.com/o/r\u200b-s", [f"{G}/o/r-s"]),
        ("https://github.com/o/\nr-s", [f"{G}/o/r-s"]),
        ("https://github.com/o/some_\n  kit.", [f"{G}/o/some_kit"]),
        ("https://github.com/o/r- and more", [f"{G}/o/r-"]),
        ("https://github.com/o/r\nWe-also show", [f"{G}/o/r"]),
        ("https://github.com/o and nothing", [f"{G}/o"]),
        ("https://raw.githubusercontent.com/o/r/main/a.py", [f"{G}/o/r"]),
        ("https://colab.research.google.com/github/o/r/blob/main/a.ipynb", [f"{G}/o/r"]),
        ("https://gitlab.com/a/b/c/-/tree/main/src", ["https://gitlab.com/a/b/c"]),
        ("https://gitlab.uni.example/a/b.git", ["https://gitlab.uni.example/a/b"]),
        ("https://bitbucket.org/o/r/src/main/", ["https://bitbucket.org/o/r"]),
        ("https://codeberg.org/o/r", ["https://codeberg.org/o/r"]),
        ("https://git.sr.ht/~o/r", ["https://git.sr.ht/~o/r"]),
        ("https://gist.github.com/o/0a1b", ["https://gist.github.com/o/0a1b"]),
        ("https://sourceforge.net/projects/kit/files/", ["https://sourceforge.net/projects/kit"]),
        ("https://zenodo.org/record/123456.", ["https://zenodo.org/record/123456"]),
        ("doi.org/10.5281/zenodo.123456.", ["https://doi.org/10.5281/zenodo.123456"]),
        ("https://osf.io/ab12c/", ["https://osf.io/ab12c"]),
        ("https://pypi.org/project/kit/1.0/", ["https://pypi.org/project/kit"]),
        (
            "https://cran.r-project.org/web/packages/kit/index.html",
            ["https://cran.r-project.org/package=kit"],
        ),
        ("https://www.kaggle.com/datasets/o/d", ["https://kaggle.com/datasets/o/d"]),
        ("hf.co/o/m", ["https://huggingface.co/o/m"]),
        ("Code: http://bit.ly/2Ab", ["http://bit.ly/2Ab"]),
        ("Code: www.example.org", ["https://www.example.org"]),
        ("lab.github.io is our page", ["https://lab.github.io"]),
        ("https://arxiv.org/abs/2112.04660 and https://youtu.be/x", []),
        ("https://doi.org/10.1000/182", []),
        ("http://anonymous. and https:// and www. and git@", []),
        ("mail me@github.com/o or e.g./i.e.", []),
    ],
)
def test_spellings_of_an_address(text: str, expected: list[str]) -> None:
    assert urls(text) == expected


def test_offsets_are_those_of_the_address_as_it_stands() -> None:
    text = r"Code: \url{https://github.com/o/r\_s}, and (https://github.com/o/kit-" + "\nv2)."

    found = [text[link.start : link.end] for link in find_code_links(text)[0]]

    assert found == [r"https://github.com/o/r\_s", "https://github.com/o/kit-\nv2"]


def test_kinds_of_hugging_face_pages() -> None:
    """c1-31"""
    text = (
        "Paper page https://huggingface.co/papers/2401.00001, model https://huggingface.co/example-lab/foo-7b"
        ", data https://huggingface.co/datasets/example-lab/foo, demo https://huggingface.co/spaces/example-lab/foo."
    )

    links, _ = find_code_links(text)

    assert [link.kind for link in links] == ["paper", "model", "dataset", "demo"]
    assert [link.role for link in links] == [
        CodeRole.OTHER,
        CodeRole.OFFICIAL,
        CodeRole.DATA,
        CodeRole.PROJECT,
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Code: https://github.com/example-lab/tidal-flow-", [("incomplete",)], id="c1-35"),
        pytest.param("Code: https://github.io/example-lab/icu", [("suspicious",)], id="c1-27"),
        pytest.param("Code: https://anonymous.4open.science/r/Ab-7C2A", [("anonymous",)], id="c1-26"),
        pytest.param("Code: https://github.com/example-lab/ segkit.", [("joined",)], id="c1-12"),
        pytest.param("Code: https://github.com/example-lab/segkit.", [()], id="plain"),
    ],
)
def test_doubtful_addresses_are_flagged(text: str, expected: list[tuple[str, ...]]) -> None:
    assert [link.flags for link in find_code_links(text)[0]] == expected


def test_anonymous_site_is_a_page_of_its_own() -> None:
    assert urls("code: https://anonymous.4open.science/w/Kit-24E7/") == [
        "https://anonymous.4open.science/w/Kit-24E7/"
    ]


def test_addresses_of_a_field_have_no_offsets_and_come_last() -> None:
    links, said = find_code_links(
        "Code: https://github.com/o/r", code_urls=("http://github.com/O/R.git", "github.com/o/s", "not one.")
    )

    assert [(link.url, link.start, link.role) for link in links] == [
        (f"{G}/o/r", 6, CodeRole.OFFICIAL),
        (f"{G}/o/s", None, CodeRole.OFFICIAL),
    ]
    assert said is CodeStatus.LINKED


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("https://github.com/o/r, https://github.com/o/s", [f"{G}/o/r", f"{G}/o/s"]),
        (r"\url{https://github.com/o/r\_s}", [f"{G}/o/r_s"]),
        ("example.org/kit/", ["https://example.org/kit/"]),
        ("see our page", []),
        ("", []),
    ],
)
def test_field_may_hold_more_or_less_than_an_address(given: str, expected: list[str]) -> None:
    links, _ = find_code_links("", code_urls=(given,))

    assert [link.url for link in links] == expected


def test_field_makes_a_doubted_address_official() -> None:
    links, said = find_code_links("It is built on https://github.com/o/r.", code_urls=(f"{G}/o/r",))

    assert [(link.start, link.role) for link in links] == [(15, CodeRole.OFFICIAL)]
    assert said is CodeStatus.LINKED


@pytest.mark.parametrize(
    "unit",
    [
        "a-",
        "https://",
        "https://github.com/a/ ",
        "https://github.com/a/b-\n",
        "https://a.io/" + ")" * 50,
        "www.",
        "a.github.",
        "\\url{",
        "at a.b.c.",
        "code is ",
        "release our code, ",
        " ",
        "(",
        "use ",
        "code will ",
        ". ",
    ],
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    started = time.process_time()

    find_code_links(text + " code github.com/o/r")

    assert time.process_time() - started < 2


SEEDS = {
    "000_7c7b0c1c1a050e44.txt": {
        f"{G}/MingyuJ666/Rope_with_LLM": CodeRole.OFFICIAL,
        f"{G}/qsx830/MixBridge": CodeRole.OFFICIAL,
    },
    "003_f40a3480d4b68760.txt": {
        f"{G}/mchen644/RSTIB": CodeRole.OFFICIAL,
        f"{G}/Wonder7racer/S2FGL": CodeRole.OFFICIAL,
        f"{G}/LindaLydia/WASP": CodeRole.OFFICIAL,
        "https://gabrielkasmi.github.io/wam/": CodeRole.PROJECT,
    },
    "004_3bef26312fb1c950.txt": {
        f"{G}/daehoum1/fisf": CodeRole.OFFICIAL,
        f"{G}/Intelligent-Computing-Lab-Yale/GPTAQ": CodeRole.OFFICIAL,
        f"{G}/zhoujiahuan1991/ICML2025-KA-Prompt": CodeRole.OFFICIAL,
    },
}


@pytest.mark.shared
@pytest.mark.parametrize("name", sorted(SEEDS))
def test_links_of_real_lists(shared: Path, name: str) -> None:
    blocks = (shared / "seeds" / name).read_text(encoding="utf-8").split("\n\n")

    found = [find_code_links(f"\n{block}") for block in blocks]

    assert {link.url: link.role for links, _ in found for link in links} == SEEDS[name]
    assert {said for links, said in found if links} == {CodeStatus.LINKED}


def folded(url: str) -> str:
    return url.lower().removeprefix("https://").removeprefix("http://").removeprefix("www.").rstrip("/")


def found_and_gold(shared: Path, split: str) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """(paper, address) pairs."""
    folder = shared / "data" / "annotated"
    texts = list(json_lines(folder / f"{split}.text.jsonl"))
    gold: list[dict[str, Any]] = list(json_lines(folder / f"{split}.gold.jsonl"))
    found = {
        (paper["id"], folded(link.url))
        for paper in texts
        for link in find_code_links(f"{paper['title'] or ''}\n{paper['abstract']}")[0]
        if link.role is not CodeRole.OTHER
    }
    return found, {(paper["id"], folded(url)) for paper in gold for url in paper["paper"].get("code", ())}


@pytest.mark.shared
def test_annotated_papers_agree(shared: Path) -> None:
    found, gold = found_and_gold(shared, "dev")

    assert 2 * len(found & gold) / (len(found) + len(gold)) >= 0.95
