"""`serve`: a local page with the whole loop, from a file to a finished review."""

import os
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from keysift.cli.console import note, say
from keysift.cli.options import Learning, Quiet
from keysift.errors import SettingError

if TYPE_CHECKING:
    import socket

    from fastapi import FastAPI

PORT = 8765
MISSING = "The page needs a few more packages: pip install 'keysift[web]'."


def serve(
    source: Annotated[
        str | None,
        typer.Argument(metavar="FILE", help="Documents to begin with; a project remembers them.", show_default=False),
    ] = None,
    *,
    keywords: Annotated[
        str | None,
        typer.Option("--keywords", "-k", help="Keywords to begin with, as for `keysift rank`.", show_default=False),
    ] = None,
    project: Annotated[
        Path, typer.Option("--project", help="The folder of the project: files, keywords, answers.")
    ] = Path("keysift-project"),
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.")] = PORT,
    host: Annotated[
        str, typer.Option(help="The address to listen at; any but this machine's own needs a token, which is printed.")
    ] = "127.0.0.1",
    sample: Annotated[
        bool, typer.Option("--sample", help="Begin with a sample corpus: docstrings of numpy, scipy, scikit-learn.")
    ] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
    learning: Learning,
    quiet: Quiet = False,
) -> None:
    """Open a page in the browser: look, change keywords, drag the cut, answer, export.

    Everything is kept in the project folder: stop with Ctrl-C, and go on with the same command.
    """
    try:
        from keysift.web.api import application
    except ImportError as error:
        if (error.name or "").split(".")[0] not in ("fastapi", "starlette", "uvicorn", "pydantic"):
            raise
        raise SettingError(MISSING) from None
    import secrets

    from keysift.review.state import State
    from keysift.web.guard import LOOPBACK
    from keysift.web.workbench import Workbench

    given = learning.ranker(keywords or "keyword")
    arguments = {name: value for name, value in given.arguments().items() if name != "keywords"}
    path = None if source is None else _existing(source)
    if sample and source is not None:
        raise SettingError(f"Give {source} or --sample, not both.")
    listener = _listen(host, port)
    where = f"http://{_shown(host)}:{listener.getsockname()[1]}/"
    token = None if host in LOOPBACK else secrets.token_urlsafe(24)
    with listener, State.open(project) as state, Workbench(state, arguments) as bench:
        words = given.keywords if keywords else None
        if sample:
            from keysift.demo import KEYWORDS

            path = bench.add_sample()
            words = words or (None if state.keywords else dict.fromkeys(KEYWORDS, 1.0))
        bench.resume(path, words)
        address = where if token is None else f"{where}?token={token}"
        say(f"The page is at {address}")
        if not quiet:
            say(f"Everything is kept in {project}. Stop with Ctrl-C; the same command goes on.")
            if token is not None:
                note("Whoever has this address can read the documents and change the answers; do not pass it on.")
        if not no_browser and _has_screen():
            import webbrowser

            webbrowser.open(address)
        _run(application(bench, token), listener)
    say(f"Stopped. Everything is kept in {project}.")


def _run(app: "FastAPI", listener: "socket.socket") -> None:
    import uvicorn

    config: Any = uvicorn.Config(
        app, log_level="warning", access_log=False, lifespan="off", timeout_graceful_shutdown=3
    )
    with suppress(KeyboardInterrupt):  # it was asked to stop, and has
        uvicorn.Server(config).run(sockets=[listener])


def _existing(source: str) -> Path:
    path = Path(source)
    if not path.exists():
        raise SettingError(f"There is no file {source}; give one that exists, or none and choose it in the page.")
    return path


def _listen(host: str, port: int) -> "socket.socket":
    """A socket that listens already, so that a port that is taken is known before anything else."""
    import socket

    if not 0 <= port <= 65535:
        raise SettingError(f"--port must be from 0 to 65535; got {port}.")
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with ExitStack() as unless_bound:
            listener = unless_bound.enter_context(socket.socket(family, socket.SOCK_STREAM))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, port))
            listener.listen(128)
            unless_bound.pop_all()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SettingError(f"Cannot listen at {host}:{port}: {reason}; choose another with --port or --host.") from None
    return listener


def _shown(host: str) -> str:
    """A host as it stands in an address.

    >>> _shown("::1"), _shown("0.0.0.0") == _own_name()
    ('[::1]', True)
    """
    if host in ("0.0.0.0", "::"):
        return _own_name()
    return f"[{host}]" if ":" in host else host


def _own_name() -> str:
    import socket

    return socket.gethostname().lower()


def _has_screen() -> bool:
    """Whether a browser would open in a window, and not in this terminal."""
    return sys.stdout.isatty() and (sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY")))
