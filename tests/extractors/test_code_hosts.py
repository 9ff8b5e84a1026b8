"""Canonical addresses and what they say of host, owner, name and kind."""

from __future__ import annotations

import pytest

from extractors.code_hosts import Address, normalise


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (
            "http://www.GitHub.com:80/Lab/Kit.git",
            Address("https://github.com/Lab/Kit", "github.com", "Lab", "Kit", "repository"),
        ),
        (
            "https://gitlab.com/a/b/c/-/blob/main/src/x.py",
            Address("https://gitlab.com/a/b/c", "gitlab.com", "a/b", "c", "repository", "main", "src/x.py"),
        ),
        (
            "https://github.com/lab",
            Address("https://github.com/lab", "github.com", "lab"),
        ),
        (
            "https://github.com/orgs/lab/repositories",
            Address("https://github.com/orgs/lab/repositories", "github.com"),
        ),
        (
            "huggingface.co/datasets/squad",
            Address("https://huggingface.co/datasets/squad", "huggingface.co", "", "squad", "dataset"),
        ),
        (
            "https://huggingface.co/collections/lab/kit-1",
            Address("https://huggingface.co/collections/lab/kit-1", "huggingface.co", name="kit-1"),
        ),
        (
            "https://zenodo.org/doi/10.5281/zenodo.12",
            Address(
                "https://doi.org/10.5281/zenodo.12", "doi.org", "", "10.5281/zenodo.12", "archive"
            ),
        ),
        (
            "http://lab.github.io/kit",
            Address("http://lab.github.io/kit", "lab.github.io", "lab", "kit"),
        ),
        (
            "https://kaggle.com/competitions/cup",
            Address("https://kaggle.com/competitions/cup", "kaggle.com", "", "cup"),
        ),
    ],
)  # fmt: skip
def test_address_is_read_whole(address: str, expected: Address) -> None:
    assert normalise(address) == expected


@pytest.mark.parametrize(
    "address", ["", "https://", "github.com", "huggingface.co", "not an address", "https://x.com/lab"]
)
def test_what_leads_nowhere_is_none(address: str) -> None:
    assert normalise(address) is None


def test_key_folds_case_only_where_the_host_does() -> None:
    def same(first: str, second: str) -> bool:
        one, other = normalise(first), normalise(second)
        return one is not None and other is not None and one.key == other.key

    assert same("https://github.com/Lab/Kit", "git@github.com:lab/kit.git")
    assert same("http://www.lab.org/Kit/", "https://lab.org/Kit")
    assert not same("https://lab.org/Kit", "https://lab.org/kit")
    assert not same("https://anonymous.4open.science/r/A-1", "https://anonymous.4open.science/r/a-1")
    assert not same("https://github.com/lab/kit", "https://gitlab.com/lab/kit")
