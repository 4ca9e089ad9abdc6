"""What every command has in common: shared options, one-sentence errors, and a clean end on Ctrl-C."""

import functools
import inspect
import re
import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from keysift.cli.console import complain, note, say
from keysift.errors import KeysiftError, KeysiftWarning
from keysift.text.visible import visible

ARGUMENT = re.compile(r"(?<![\w.])(?P<name>[a-z]\w*)=(?:'(?P<value>[^']+)'|(?=[\s,;.)]|$))")
"""An argument in a message of the library: `text=`, or with a value, `encoding='latin-1'`."""
RENAMED = {"embeddings": "vector_column"}
"""Arguments whose option has another name."""


class Commands(TyperGroup):
    """Commands whose complaints about their arguments, perhaps names of files, do not steer the terminal."""

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Read the arguments that are before the name of a command."""
        with _visible_complaints():
            return super().make_context(*args, **kwargs)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command; a name of two words, `review export`, goes before the command that is its first word."""
        both = " ".join(args[:2])
        if len(args) > 1 and both in self.commands:
            return both, self.commands[both], args[2:]
        return super().resolve_command(ctx, args)

    def invoke(self, *args: Any, **kwargs: Any) -> Any:
        """Read the other arguments, and run the command."""
        with _visible_complaints():
            return super().invoke(*args, **kwargs)


@contextmanager
def _visible_complaints() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message") and isinstance(message := getattr(error, "message", None), str):
            error.message = visible(message)  # type: ignore[attr-defined]
        raise


def command(app: typer.Typer, name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Register a function as a command; each parameter that is a dataclass becomes one option a field."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        def waiting() -> None:
            """Stands for the function until its options are asked for."""

        waiting.__doc__ = function.__doc__
        app.command(name, cls=functools.partial(OnceCommand, function))(waiting)  # type: ignore[arg-type]
        return function

    return register


def with_options(function: Callable[..., None]) -> Callable[..., None]:
    """The function of a command with a parameter for every option, and with friendly ends."""
    groups: dict[str, Any] = {
        parameter.name: parameter.annotation
        for parameter in inspect.signature(function).parameters.values()
        if is_dataclass(parameter.annotation)
    }

    @functools.wraps(function)
    def run(**given: Any) -> None:
        for group, kind in groups.items():
            given[group] = kind(**{field.name: given.pop(field.name) for field in fields(kind)})
        with _friendly_ends(options):
            function(**given)

    parameters = list(_flat(function))
    options = {parameter.name for parameter in parameters}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


class OnceCommand(TyperCommand):
    """A command that refuses an option given twice, of which the framework would silently take the last.

    Its options are made when they are first asked for: those of all commands take longer than anything else at start.
    """

    def __init__(self, function: Callable[..., None], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.function: Callable[..., None] | None = function

    def get_params(self, ctx: Any) -> list[Any]:
        """The options, and what is to be called with them."""
        if self.function is not None:
            alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
            alone.command()(with_options(self.function))
            made = typer.main.get_command(alone)
            self.params, self.callback, self.function = made.params, made.callback, None
        return super().get_params(ctx)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Count the options before they are read; one that takes several values may be there several times."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for option in dict.fromkeys(given):
            repeatable = getattr(option, "multiple", False) or getattr(option, "count", False)
            if given.count(option) > 1 and option.param_type_name == "option" and not repeatable:
                complain(f"{'/'.join(option.opts)} is given {_times(given.count(option))}; give it once.")
                raise typer.Exit(2)
        return super().parse_args(ctx, args)


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def _flat(function: Callable[..., None]) -> Iterator[inspect.Parameter]:
    for parameter in inspect.signature(function).parameters.values():
        if not is_dataclass(parameter.annotation):
            yield parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            continue
        for field in fields(parameter.annotation):
            yield inspect.Parameter(
                field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=field.type
            )


def as_options(message: str, options: Collection[str]) -> str:
    """A message of the library, which names arguments, in the words of a command with these options.

    >>> as_options("name it with text=, or encoding='latin-1'; k=3 is not ours", {"text", "encoding"})
    'name it with --text, or --encoding latin-1; k=3 is not ours'
    >>> as_options("hand in embeddings= for new documents", {"vector_column"})
    'hand in --vector-column for new documents'
    """
    flags = {name: f"--{name.replace('_', '-')}" for name in options}
    flags |= {name: flags[option] for name, option in RENAMED.items() if option in flags}

    def rewrite(match: re.Match[str]) -> str:
        flag = flags.get(match["name"])
        if flag is None:
            return match[0]
        return f"{flag} {match['value']}" if match["value"] else flag

    return ARGUMENT.sub(rewrite, message)


@contextmanager
def _friendly_ends(options: Collection[str]) -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("always", KeysiftWarning)
        told: set[str] = set()

        def tell(message: Warning | str, *_args: Any, **_kwargs: Any) -> None:
            if str(message) not in told:  # what is done twice need not be said twice
                told.add(str(message))
                note(as_options(str(message), options))

        warnings.showwarning = tell
        try:
            yield
        except KeysiftError as error:
            complain(as_options(str(error), options))
            raise typer.Exit(2) from None
        except MemoryError:
            complain("The memory is not enough for this; give fewer documents, or free memory.")
            raise typer.Exit(2) from None
        except BrokenPipeError:
            raise  # whoever reads us has enough; the framework ends quietly
        except OSError as error:
            where = f": {error.filename}" if error.filename else ""
            complain(f"{error.strerror or error}{where}; check it, then try again.")
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            say("Stopped. No file was left half-written.")
            raise typer.Exit(130) from None
