"""arXiv's Atom and RSS feeds, and OAI-PMH."""

from __future__ import annotations

import pytest

from kg.errors import InputError
from kg.schema import Rejected
from tests.readers.helpers import read_text, shown, titles

FEED = "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:arxiv='http://arxiv.org/schemas/atom'>{}</feed>"
DAILY = (
    "<{0} xmlns='http://www.w3.org/2005/Atom' xmlns:arxiv='http://arxiv.org/schemas/atom' "
    "xmlns:dc='http://purl.org/dc/elements/1.1/'>"
    "<title>cs.CL updates on arXiv.org</title>{1}</{0}>"
)
RSS = (
    "<?xml version='1.0' encoding='UTF-8'?>\n<rss xmlns:arxiv='http://arxiv.org/schemas/atom' "
    "xmlns:dc='http://purl.org/dc/elements/1.1/' version='2.0'><channel>"
    "<title>cs.CL updates on arXiv.org</title><link>http://rss.arxiv.org/rss/cs.CL</link>"
    "<description>cs.CL updates</description>{}</channel></rss>"
)
ANNOUNCED = {
    "title": "Deep Cats",
    "abstract": "We study\ncats.",
    "source_ids": ("oai:arXiv.org:2501.01234v1",),
    "authors": ("Ann Roe", "Plato", "Bob Doe Jr."),
    "year": 2025,
    "url": "https://arxiv.org/abs/2501.01234",
    "arxiv_id": "2501.01234",
}
OAI = "<OAI-PMH xmlns='http://www.openarchives.org/OAI/2.0/'><ListRecords>{}</ListRecords></OAI-PMH>"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(
            FEED.format(
                "<entry><id>http://arxiv.org/abs/2401.00002v1</id><title>A Very Long Title about Graph\n  "
                "Neural Networks</title><summary>"
                "  We use graph neural\nnetworks on\n  ImageNet.\n</summary></entry>"
            ),
            {
                "title": "A Very Long Title about Graph Neural Networks",
                "abstract": "We use graph neural\nnetworks on\n  ImageNet.",
                "source_ids": ("http://arxiv.org/abs/2401.00002v1",),
                "url": "http://arxiv.org/abs/2401.00002v1",
                "arxiv_id": "2401.00002",
            },
            id="c4-08",
        ),
        pytest.param(
            FEED.format(
                "<entry><id>http://arxiv.org/abs/2401.00003v3</id><title>GroundAgent</title><summary>"
                "This paper has been withdrawn by the authors due to errors in Section 4.</summary>"
                "<arxiv:comment>Withdrawn</arxiv:comment></entry>"
            ),
            {
                "title": "GroundAgent",
                "abstract": "This paper has been withdrawn by the authors due to errors in Section 4.",
                "source_ids": ("http://arxiv.org/abs/2401.00003v3",),
                "url": "http://arxiv.org/abs/2401.00003v3",
                "arxiv_id": "2401.00003",
                "status": "withdrawn",
            },
            id="c4-25",
        ),
        pytest.param(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            + FEED.format(
                "<entry><id>http://arxiv.org/abs/hep-th/9901001v1</id><published>1999-01-01T00:00:00Z</published>"
                "<title>T</title><summary>A.</summary><author><name>Ann Roe</name></author>"
                "<author><name>Bob Doe</name><arxiv:affiliation>MIT</arxiv:affiliation></author>"
                "<arxiv:doi>10.1000/X</arxiv:doi><arxiv:journal_ref>Cats 7 (1999) 1</arxiv:journal_ref>"
                "<link href='http://arxiv.org/abs/hep-th/9901001v1' rel='alternate'/>"
                "<arxiv:comment>code: https://github.com/o/r</arxiv:comment></entry>"
            ),
            {
                "title": "T",
                "abstract": "A.",
                "source_ids": ("http://arxiv.org/abs/hep-th/9901001v1",),
                "authors": ("Ann Roe", "Bob Doe"),
                "year": 1999,
                "venue": "Cats",
                "url": "http://arxiv.org/abs/hep-th/9901001v1",
                "doi": "10.1000/x",
                "arxiv_id": "hep-th/9901001",
                "code_urls": ("https://github.com/o/r",),
            },
            id="atom",
        ),
        pytest.param(
            DAILY.format(
                "feed",
                "<entry><id>oai:arXiv.org:2501.01234v1</id><title>Deep Cats</title>"
                "<updated>2025-01-06T05:00:00+00:00</updated>"
                "<link href='https://arxiv.org/abs/2501.01234' rel='alternate' type='text/html'/>"
                "<summary>arXiv:2501.01234v1 Announce Type: new \nAbstract: We study\ncats.</summary>"
                "<category term='cs.CL'/><published>2025-01-06T00:00:00-05:00</published>"
                "<arxiv:announce_type>new</arxiv:announce_type><dc:rights>http://x.org/by</dc:rights>"
                "<dc:creator>Ann Roe (MIT, Cambridge), Plato, Bob Doe Jr.</dc:creator></entry>",
            ),
            ANNOUNCED,
            id="daily-atom",
        ),
        pytest.param(
            RSS.format(
                "<item><title>Deep Cats</title><link>https://arxiv.org/abs/2501.01234</link><description>"
                "arXiv:2501.01234v1 Announce Type: new \nAbstract: We study\ncats.</description>"
                "<guid isPermaLink='false'>oai:arXiv.org:2501.01234v1</guid><category>cs.CL</category>"
                "<pubDate>Mon, 06 Jan 2025 00:00:00 -0500</pubDate>"
                "<arxiv:announce_type>new</arxiv:announce_type><arxiv:DOI>10.1000/X</arxiv:DOI>"
                "<arxiv:journal_reference>Cats 7 (2025) 1</arxiv:journal_reference>"
                "<dc:creator>Ann Roe, Plato, Bob Doe Jr.</dc:creator></item>"
            ),
            {**ANNOUNCED, "venue": "Cats", "doi": "10.1000/x"},
            id="daily-rss",
        ),
        pytest.param(
            RSS.format(
                "<item><title>Deep Cats</title><link>https://arxiv.org/abs/1901.01234</link><description>"
                "arXiv:1901.01234v7 Announce Type: replace-cross Abstract: We study cats.</description>"
                "<pubDate>Mon, 06 Jan 2025 00:00:00 -0500</pubDate>"
                "<arxiv:announce_type>replace-cross</arxiv:announce_type>"
                "<dc:creator>Plato, Ann Roe</dc:creator></item>"
            ),
            {
                "title": "Deep Cats",
                "abstract": "We study cats.",
                "source_ids": ("arXiv:1901.01234v7",),
                "authors": ("Plato", "Ann Roe"),
                "url": "https://arxiv.org/abs/1901.01234",
                "arxiv_id": "1901.01234",
            },
            id="daily-replaced-without-guid",
        ),
        pytest.param(
            "<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><item><title>T</title>"
            "<description>A.</description><dc:creator>Roe, Ann</dc:creator><dc:creator>Doe, Bob</dc:creator>"
            "<link>https://x.org/1</link><guid>https://x.org/1</guid></item></channel></rss>",
            {
                "title": "T",
                "abstract": "A.",
                "source_ids": ("https://x.org/1",),
                "authors": ("Ann Roe", "Bob Doe"),
                "url": "https://x.org/1",
            },
            id="rss-of-a-journal",
        ),
        pytest.param(
            OAI.format(
                "<record><header><identifier>oai:arXiv.org:0704.0001</identifier></header><metadata>"
                "<arXiv xmlns='http://arxiv.org/OAI/arXiv/'><id>0704.0001</id><created>2007-04-02</created><authors>"
                "<author><keyname>Roe</keyname><forenames>Ann</forenames></author></authors><title>T</title>"
                "<doi>10.1000/X</doi><abstract> A. </abstract></arXiv></metadata></record>"
                "<record><header status='deleted'><identifier>x</identifier></header></record>"
            ),
            {
                "title": "T",
                "abstract": "A.",
                "source_ids": ("0704.0001",),
                "authors": ("Ann Roe",),
                "year": 2007,
                "doi": "10.1000/x",
                "arxiv_id": "0704.0001",
            },
            id="oai-arxiv",
        ),
        pytest.param(
            OAI.format(
                "<record><metadata><oai_dc:dc xmlns:oai_dc='http://www.openarchives.org/OAI/2.0/oai_dc/' "
                "xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:title>T</dc:title>"
                "<dc:creator>Roe, Ann</dc:creator>"
                "<dc:creator>Doe, Bob</dc:creator><dc:description>A.</dc:description>"
                "<dc:description>Comment: 3 pages</dc:description><dc:date>2007-04-02</dc:date>"
                "<dc:date>2008-01-01</dc:date><dc:identifier>http://arxiv.org/abs/0704.0001</dc:identifier>"
                "<dc:identifier>doi:10.1000/X</dc:identifier></oai_dc:dc></metadata></record>"
            ),
            {
                "title": "T",
                "abstract": "A.",
                "source_ids": ("http://arxiv.org/abs/0704.0001",),
                "authors": ("Ann Roe", "Bob Doe"),
                "year": 2007,
                "url": "http://arxiv.org/abs/0704.0001",
                "doi": "10.1000/x",
                "arxiv_id": "0704.0001",
            },
            id="oai-dc",
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
    [
        pytest.param(
            "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:o='http://a9.com/-/spec/opensearch/1.1/'>"
            "<o:totalResults>1200</o:totalResults></feed>",
            id="c8-29",
        )
    ],
)
def test_an_empty_page_is_a_warning_with_both_numbers(content: str) -> None:
    result = read_text(content)
    assert (result.papers, result.rejected) == ([], [])
    assert result.warnings == ["<stdin>: the feed holds 0 papers, though its totalResults says 1200"]


def test_a_daily_list_without_papers_is_a_warning() -> None:
    result = read_text(RSS.format("<skipDays><day>Sunday</day></skipDays>"))
    assert (result.papers, result.rejected) == ([], [])
    assert result.warnings == ["<stdin>: no papers in it"]


def test_entries_before_a_broken_place_are_kept() -> None:
    result = read_text(FEED.format("<entry><title>T</title></entry>\n<entry><title>U</entry>"))
    assert titles(result) == ["T"]
    assert [(item.file, item.line) for item in result.rejected] == [("<stdin>", 2)]


def test_an_entry_without_text_is_rejected_by_number() -> None:
    result = read_text(FEED.format("<entry><id>http://x.org/1</id></entry>"))
    assert result.rejected == [
        Rejected("<stdin>", None, "item 1: record 'http://x.org/1': neither title nor abstract")
    ]


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">'
    "]><feed><entry><title>&b;</title></entry></feed>"
)
OUTSIDE = (
    '<!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/passwd">]><feed><entry><title>&x;</title></entry></feed>'
)


@pytest.mark.parametrize("content", [BOMB, OUTSIDE])
def test_entities_are_refused(content: str) -> None:
    with pytest.raises(InputError, match="refused, the XML defines entities"):
        read_text(content)


@pytest.mark.parametrize(
    "content", ["<?xml version='1.0'?><svg><p/></svg>", "<feed", "<?xml version='1.0'?>"]
)
def test_other_xml_is_an_input_error(content: str) -> None:
    with pytest.raises(InputError, match="XML"):
        read_text(content, format="xml")


def test_other_encodings_than_the_declared_one_are_read() -> None:
    content = '<?xml version="1.0" encoding="UTF-16"?>' + FEED.format("<entry><title>Ünder</title></entry>")
    assert titles(read_text(content.encode("utf-16"))) == ["Ünder"]
