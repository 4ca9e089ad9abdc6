"""The text of a .pdf, by pypdf; an extra, because few need it."""

import io

import polars as pl

from keysift.errors import InputError
from keysift.library_logs import silenced


def read_pdf(data: bytes, source: str) -> pl.DataFrame:
    """All pages of a .pdf as one document."""
    try:
        from pypdf import PdfReader
    except ImportError as error:
        raise InputError(f"Cannot read {source}: for .pdf keysift needs pypdf; pip install 'keysift[pdf]'.") from error
    if not data.strip():
        return pl.DataFrame()
    with silenced("pypdf"):
        try:
            reader = PdfReader(io.BytesIO(data))
            locked = reader.is_encrypted and not reader.decrypt("")
            pages = [] if locked else [page.extract_text() for page in reader.pages]
        # A damaged file fails in pypdf in any of a dozen ways.
        except Exception as error:
            if "cryptography" in str(error):
                raise _locked(source) from error
            first = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
            raise InputError(
                f"Cannot read {source}: it is damaged, or no .pdf ({first}); create or download it again."
            ) from error
    if locked:
        raise _locked(source)
    return pl.DataFrame({"text": ["\n".join(pages).encode("utf-8", "replace").decode()]})


def _locked(source: str) -> InputError:
    return InputError(f"Cannot read {source}: it is encrypted; save it without a password, and try again.")
