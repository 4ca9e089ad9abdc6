from pathlib import Path

from benchmarks.size import measure


def test_lines_files_and_public_names_are_counted(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "__init__.py").write_text('__all__ = ["fit"]\n')
    (tmp_path / "room" / "rank.py").write_text('"""A room."""\n\n__all__ = ("rank", "page")\n')
    (tmp_path / "notes.txt").write_text("not code\n")
    size = measure(tmp_path)
    assert (size.files, size.lines) == (2, 4)
    assert (size.longest, size.longest_lines) == ("room/rank.py", 3)
    assert size.public == {tmp_path.name: 1, f"{tmp_path.name}.room.rank": 2}
