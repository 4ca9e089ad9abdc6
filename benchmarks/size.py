"""How large is the package? python -m benchmarks.size prints its lines, files, longest file and public names."""

import ast
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Size", "main", "measure", "public_names"]

SOURCE = Path(__file__).resolve().parents[1] / "src" / "keysift"
PYTHON = "*.py"


@dataclass(frozen=True)
class Size:
    """What a package consists of."""

    files: int
    lines: int
    longest: str
    """The file with the most lines."""
    longest_lines: int
    public: dict[str, int]
    """How many names the `__all__` of each module has, where there is one."""


def measure(source: Path = SOURCE) -> Size:
    """Count in every Python file below a folder."""
    files = sorted(source.rglob(PYTHON))
    lines = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in files}
    longest = max(files, key=lambda file: lines[file])
    names = {_module(file, source): public_names(file.read_text(encoding="utf-8")) for file in files}
    return Size(
        files=len(files),
        lines=sum(lines.values()),
        longest=longest.relative_to(source).as_posix(),
        longest_lines=lines[longest],
        public={module: len(found) for module, found in names.items() if found},
    )


def public_names(code: str) -> list[str]:
    r"""The names in `__all__`; none where a module has no such list.

    >>> public_names("__all__ = ['fit', 'rank']\nx = 1"), public_names("x = 1")
    (['fit', 'rank'], [])
    """
    for node in ast.parse(code).body:
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == "__all__" for to in node.targets):
            return [str(name) for name in ast.literal_eval(node.value)]
    return []


def _module(file: Path, source: Path) -> str:
    parts = (source.name, *file.relative_to(source).with_suffix("").parts)
    return ".".join(part for part in parts if part != "__init__")


def main() -> None:
    """Print the figures."""
    size = measure()
    print(f"files         {size.files:>7,}")
    print(f"lines         {size.lines:>7,}")
    print(f"longest file  {size.longest_lines:>7,} lines, {size.longest}")
    print(f"public names  {sum(size.public.values()):>7,} in the __all__ of {len(size.public)} modules:")
    for module, number in size.public.items():
        print(f"  {module:<30} {number:>3}")


if __name__ == "__main__":
    main()
