"""Files are written whole or not at all."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from kg.errors import ExportError
from kg.files import atomic_folder, atomic_path, atomic_write


def test_the_content_appears_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with atomic_write(path) as stream:
        stream.write(b"new")
        assert not path.exists()
    assert path.read_bytes() == b"new"
    assert [item.name for item in tmp_path.iterdir()] == ["a.txt"]


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), atomic_write(path) as stream:
        stream.write(b"%d" % (1 // 0))
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["a.txt"]


def test_compressed_bytes_hold_no_time_and_no_name(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        with atomic_write(tmp_path / name) as stream:
            stream.write(b"same")
    first, second = ((tmp_path / name).read_bytes() for name in ("a.gz", "b.gz"))
    assert first == second
    assert first[4:8] == bytes(4)
    assert gzip.decompress(first) == b"same"


def test_a_link_stays_a_link_and_the_mode_stays(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    with atomic_write(link) as stream:
        stream.write(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_what_is_no_regular_file_is_written_directly() -> None:
    with atomic_write("/dev/null") as stream:
        stream.write(b"gone")
    assert not Path("/dev/null").is_file()


def test_a_missing_folder_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "none" / "a.txt"
    with pytest.raises(ExportError) as caught, atomic_path(path):
        pass
    assert str(caught.value) == f"cannot write {path}: No such file or directory"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="it is a folder"), atomic_path(tmp_path):
        pass


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with pytest.raises(ExportError, match="No space left on device"), atomic_path(path):
        raise OSError(28, "No space left on device")
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["a"]


def write_folder(path: Path, *names: str) -> None:
    with atomic_folder(path) as part:
        for name in names:
            (part / name).write_text(name)


def test_a_folder_replaces_its_former_self(tmp_path: Path) -> None:
    write_folder(tmp_path / "out", "a", "b")
    (tmp_path / "out" / "a").write_text("old")
    write_folder(tmp_path / "out", "a", "b", "c")
    assert {path.name: path.read_text() for path in (tmp_path / "out").iterdir()} == {
        "a": "a",
        "b": "b",
        "c": "c",
    }
    assert [item.name for item in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("kind", ["file", "foreign"])
def test_nothing_of_the_user_is_deleted(tmp_path: Path, kind: str) -> None:
    if kind == "file":
        (tmp_path / "out").write_text("mine")
    else:
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "mine").write_text("mine")
    with pytest.raises(ExportError, match="cannot write"):
        write_folder(tmp_path / "out", "a")
    assert [path.read_text() for path in tmp_path.rglob("*") if path.is_file()] == ["mine"]


def test_a_failing_folder_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), atomic_folder(tmp_path / "out") as part:
        (part / "a").write_text(str(1 // 0))
    assert list(tmp_path.iterdir()) == []
