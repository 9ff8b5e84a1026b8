"""BibTeX, sound and broken."""

from __future__ import annotations

import pytest

from kg.schema import Rejected
from tests.readers.helpers import read_text, shown, titles


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(
            r"@misc{roe2019, title={S\_Index}, url={https://github.com/example-lab/S\_Index}, year={2019}}",
            {
                "title": "S_Index",
                "source_ids": ("roe2019",),
                "year": 2019,
                "url": "https://github.com/example-lab/S_Index",
                "code_urls": ("https://github.com/example-lab/S_Index",),
            },
            id="c1-08",
        ),
        pytest.param(
            r"@misc{a1, title={{FFT} bounds for $x^{2n}$}, note={\url{https://github.com/example-lab/fft}}, "
            "abstract={A {BERT}\n    model.}}",
            {
                "title": "FFT bounds for $x^{2n}$",
                "abstract": "A BERT\nmodel.",
                "source_ids": ("a1",),
                "code_urls": ("https://github.com/example-lab/fft",),
            },
            id="c4-06",
        ),
        pytest.param(
            r"@article{f1, title={$\less$p$\greater$$\less$strong$\greater$Deep nets$\less$/strong$\greater$"
            r" for caves$\less$/p$\greater$}, year=2019}",
            {"title": "Deep nets for caves", "source_ids": ("f1",), "year": 2019},
            id="c4-12",
        ),
        pytest.param(
            '@InProceedings{roe,\n title = "{D}eep {C}ats",\n'
            " author = {Roe, Ann and van der Doe, Bob and {The Cat Group} and others},\n"
            " booktitle = {ICML 2021}, doi = {https://doi.org/10.1000/X}, eprint={1706.03762v2},\n"
            " software = {https://github.com/o/r}, openreview = {aBc1}, keywords={cats, dogs}}",
            {
                "title": "Deep Cats",
                "source_ids": ("roe",),
                "authors": ("Ann Roe", "Bob van der Doe", "The Cat Group"),
                "year": 2021,
                "venue": "ICML",
                "url": "https://openreview.net/forum?id=aBc1",
                "doi": "10.1000/x",
                "arxiv_id": "1706.03762",
                "code_urls": ("https://github.com/o/r",),
                "keywords": ("cats", "dogs"),
            },
            id="fields",
        ),
        pytest.param(
            "@article{k, title={T}, author={Erd{\\H{o}}s, P{\\'a}l and Doe, Jo\\~ao}, journal={CoRR}, "
            "volume={abs/1706.03762}}",
            {
                "title": "T",
                "source_ids": ("k",),
                "authors": ("Pál Erdős", "João Doe"),
                "venue": "CoRR",
                "arxiv_id": "1706.03762",
            },
            id="dblp-and-accents",
        ),
    ],
)
def test_fields_of_an_entry(content: str, expected: dict[str, object]) -> None:
    result = read_text(content)
    assert ([shown(paper) for paper in result.papers], result.rejected, result.warnings) == (
        [expected],
        [],
        [],
    )


@pytest.mark.parametrize(
    "content",
    [pytest.param("\ufeff@article{one, title={First}}\n@article{two, title={Second}}", id="c4-14")],
)
def test_a_byte_order_mark_loses_no_entry(content: str) -> None:
    assert titles(read_text(content)) == ["First", "Second"]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(
            "@article{a, title={One}, month = jun, year = 2020}\n@article{b, title={Two}, month = January}\n"
            '@string{venue = "ICML"}\n@article{c, title={Three}, booktitle = venue # { 2021}}',
            id="c8-01",
        )
    ],
)
def test_macros_are_joined_and_unknown_ones_stay_as_text(content: str) -> None:
    result = read_text(content)
    assert [(paper.title, paper.venue, paper.year) for paper in result.papers] == [
        ("One", None, 2020),
        ("Two", None, None),
        ("Three", "ICML", 2021),
    ]
    assert result.warnings == ["<stdin>, line 2: 'January' is no @string, kept as text"]


@pytest.mark.parametrize(
    ("content", "expected", "line"),
    [
        pytest.param(
            "@article{dup, title={A}}\n@article{dup, title={B}}\n@article{bad title={C}}\n"
            "@article{ok, title={D}}",
            ["A", "B", "D"],
            3,
            id="c8-02",
        ),
        pytest.param(
            "@inproceedings{x1, title={First}, abstract={gains of 3 to 15{{\\%} over GLUE}}\n"
            "@inproceedings{x2, title={Second}, abstract={fine}}",
            ["Second"],
            1,
            id="c8-03",
        ),
        pytest.param('@article{a, title="A}\n\n@article{b, title={B}}', ["B"], 1, id="open-quote"),
        pytest.param("@article{a, title={A}}\n@article{b, title={B}", ["A"], 2, id="end-of-file"),
    ],
)
def test_reading_goes_on_after_a_broken_entry(content: str, expected: list[str], line: int) -> None:
    result = read_text(content)
    assert titles(result) == expected
    assert [item.line for item in result.rejected] == [line]
    assert result.rejected[0].reason.startswith("broken entry: ")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(
            '@Misc{p1, author="Roe, A. and Doe, B.", abstract="energy \\{∇$\\phi$ - $\\mu$'
            '{\\textthreesuperior}⁺, 1 < p < 5", note="C1", note="Yes"}',
            id="c8-04",
        )
    ],
)
def test_odd_formulas_and_duplicate_fields(content: str) -> None:
    result = read_text(content)
    assert [shown(paper) for paper in result.papers] == [
        {
            "abstract": "energy {∇$\\phi$ - $\\mu$³⁺, 1 < p < 5",
            "source_ids": ("p1",),
            "authors": ("A. Roe", "B. Doe"),
        }
    ]
    assert result.warnings == ["<stdin>, line 1: several fields note, the first counts"]


def test_a_volume_gives_venue_and_year_to_its_papers() -> None:
    result = read_text(
        "@proceedings{ICML-2025, booktitle={Proceedings of ICML}, year={2025}}\n"
        "@inproceedings{a, title={A}}\n@inproceedings{b, title={B}, booktitle={Other}, year=2020}"
    )
    assert [(paper.title, paper.venue, paper.year) for paper in result.papers] == [
        ("A", "ICML", 2025),
        ("B", "Other", 2020),
    ]


def test_an_entry_without_title_and_abstract_is_rejected_by_key() -> None:
    result = read_text("% exported\n\n@misc{x, url={https://x.org}}")
    assert result.rejected == [Rejected("<stdin>", 3, "record 'x': neither title nor abstract")]


@pytest.mark.parametrize(
    "content",
    [
        "@a{" * 20_000,
        "@a{b, c={" * 10_000,
        '@a{b, c="' * 10_000,
        "@a{b, title={" + "{" * 100_000,
        "@a{b, title={x}, author={" + " and ".join(["Roe, A"] * 5_000) + "}}",
        "@a{b, title=x" + " " * 100_000 + "y}",
        "@string{a = b}\n" * 5_000,
        "@a{b, title = " + "# " * 50_000 + "}",
    ],
)
def test_hostile_files_are_read_quickly(content: str) -> None:
    read_text(content, format="bibtex")
