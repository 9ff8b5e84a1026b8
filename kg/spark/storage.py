"""Files where Spark keeps them: on a local disk, in HDFS, in an object store, by Hadoop's file systems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from kg.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["File", "Folder", "list_files"]


class File(NamedTuple):
    """A file of an input: its address, its path inside the folder that was named, and what tells a change.

    `inside` is empty for a file that was named itself.
    """

    address: str
    shown: str
    inside: str
    size: int
    changed: int


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder by its address; `spark` reaches it."""

    spark: SparkSession
    address: str

    @classmethod
    def at(cls, spark: SparkSession, path: str) -> Folder:
        """The folder of a path, whole: a path without a scheme is one of Spark's default file system."""
        return cls(spark, str(_system(spark, path).makeQualified(_path(spark, path)).toString()))

    def __truediv__(self, name: str) -> Folder:
        return Folder(self.spark, f"{self.address}/{name}")

    def exists(self) -> bool:
        """Whether a file or folder is there."""
        return bool(self._system.exists(self._path))

    def names(self) -> list[str]:
        """What the folder holds, sorted."""
        return sorted(str(found.getPath().getName()) for found in self._system.listStatus(self._path))

    def delete(self) -> None:
        """Takes away the file or folder with all that it holds, if it is there."""
        self._system.delete(self._path, True)

    def rename(self, target: Folder) -> None:
        """Moves to an address where nothing is.

        Raises:
            OSError: the file system refuses.
        """
        if not self._system.rename(self._path, target._path):
            raise OSError(f"cannot rename {self.address} to {target.address}")

    def write(self, content: bytes) -> None:
        """Writes the file whole or not at all."""
        part = Folder(self.spark, f"{self.address}.part")
        stream = self._system.create(part._path, True)
        try:
            stream.write(bytearray(content))
        finally:
            stream.close()
        self.delete()
        part.rename(self)

    def read(self) -> bytes:
        """The content of a small file."""
        stream = self._system.open(self._path)
        try:
            return bytes(stream.readAllBytes())
        finally:
            stream.close()

    def size(self) -> int:
        """The bytes of all files."""
        return int(self._system.getContentSummary(self._path).getLength())

    @property
    def _path(self) -> Any:
        return _path(self.spark, self.address)

    @property
    def _system(self) -> Any:
        return _system(self.spark, self.address)


def list_files(spark: SparkSession, path: str) -> Iterator[File]:
    """The files of an input, sorted by address: a file, a folder with all in it, or a pattern with `*`.

    A Parquet table that is a folder is one file.

    Raises:
        InputError: nothing is there.
    """
    system = _system(spark, path)
    found = list(system.globStatus(_path(spark, path)) or ())
    if not found:
        raise InputError(f"{path}: no such file or folder", hint="check the path")
    for status in found:
        root = str(status.getPath().toString())
        shown = path if len(found) == 1 else root
        for address, item in sorted(_walk(system, status)):
            inside = address.removeprefix(root).strip("/")
            named = str(PurePosixPath(shown) / inside) if inside else shown
            yield File(address, named, inside, int(item.getLen()), int(item.getModificationTime()))


def _walk(system: Any, status: Any) -> Iterator[tuple[str, Any]]:
    path = status.getPath()
    if not status.isDirectory() or str(path.getName()).endswith(".parquet"):
        yield str(path.toString()), status
        return
    for child in system.listStatus(path):
        yield from _walk(system, child)


def _path(spark: SparkSession, path: str) -> Any:
    return spark._jvm.org.apache.hadoop.fs.Path(path)  # type: ignore[union-attr]


def _system(spark: SparkSession, path: str) -> Any:
    return _path(spark, path).getFileSystem(spark._jsc.hadoopConfiguration())
