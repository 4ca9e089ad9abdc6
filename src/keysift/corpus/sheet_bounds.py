"""How large a spreadsheet is before it is read: one cell far away makes the reader ask for all memory, and abort."""

import re
import struct
import zipfile
import zlib
from io import BytesIO

from keysift.errors import InputError

UNZIPPED = 4 << 30
"""Bytes of a spreadsheet, unzipped; more is a bomb or a mistake."""
SPARSE = 10_000_000
"""Cells, empty ones included, up to which nobody minds how many are filled."""
FILLED = 1 / 50
"""The share of cells that must be filled in a larger sheet."""
FAULTS = (
    zipfile.BadZipFile,
    NotImplementedError,
    OSError,
    EOFError,
    RuntimeError,
    ValueError,
    struct.error,
    zlib.error,
)
"""What is raised for a zip file that is damaged, locked or of another kind."""
CHUNK = 1 << 20
PLACE = re.compile(rb"""\sr=["']([A-Za-z]{0,3})([0-9]{1,7})["']""")
"""Where a cell says its column and row, and a row its number."""
LONGEST = 16
"""Bytes that a place has at most: two chunks overlap by so many."""


def check_bounds(data: bytes, source: str) -> None:
    """Refuse a spreadsheet that is damaged as a zip file, too large, or all but empty over a huge area."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as parts:
            size = sum(part.file_size for part in parts.infolist())
            if size > UNZIPPED:
                raise InputError(
                    f"{source}: unzipped it would have {size / 2**30:.0f} GiB, and {UNZIPPED >> 30} are allowed; save"
                    " it as .csv."
                )
            for part in parts.infolist():
                _check_area(parts, part, source)
    except InputError:
        raise
    except FAULTS as error:
        raise InputError(
            f"{source}: it cannot be read as a spreadsheet ({error}); save it again as .xlsx, or as .csv in UTF-8."
        ) from error


def _check_area(parts: zipfile.ZipFile, part: zipfile.ZipInfo, source: str) -> None:
    columns, rows, filled, rest = 1, 1, 0, b""
    with parts.open(part) as file:
        while chunk := file.read(CHUNK):
            for letters, number in PLACE.findall(rest + chunk):
                columns, rows = max(columns, _column(letters)), max(rows, int(number))
                filled += 1
            # A place that is seen twice counts twice, which does no harm.
            rest = chunk[-LONGEST:]
    if columns * rows > SPARSE and filled < FILLED * columns * rows:
        raise InputError(
            f"{source}: its cells are spread over {rows:,} rows and {columns:,} columns, and only {filled:,} are"
            " filled; delete what stands far away, or save it as .csv."
        )


def _column(letters: bytes) -> int:
    """The number of a column.

    >>> _column(b"A"), _column(b"AA"), _column(b"XFD")
    (1, 27, 16384)
    """
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - ord("A") + 1
    return number
