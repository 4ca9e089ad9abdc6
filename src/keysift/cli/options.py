"""Options that several commands share, as dataclasses that `command` takes apart for the command line."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from keysift.errors import SettingError
from keysift.streaming.scale import output_path

if TYPE_CHECKING:
    from keysift.config import LearnConfig
    from keysift.decide.cuts import Threshold
    from keysift.networks.training import Training
    from keysift.ranker import KeywordRanker
    from keysift.settings import Settings

Keywords = Annotated[
    str,
    typer.Option(
        "--keywords",
        "-k",
        help="What you look for, by commas: free, lost card (a phrase), win* (begins so), -love (not this), free:2 (a"
        ' weight), "in, quotes" (as it is); or a file with one a line.',
        show_default=False,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="Write the ranking here (.csv, .tsv, .xlsx, .ris, .jsonl, .parquet, or a folder/).",
        metavar="<path>",
        parser=output_path,
        show_default=False,
    ),
]
Report = Annotated[
    Path | None, typer.Option("--report", help="Write a page about the ranking here (.html).", show_default=False)
]
Work = Annotated[
    Path | None,
    typer.Option(
        "--work", help="Keep the prepared corpus in this folder: other keywords start from it.", show_default=False
    ),
]
Encoder = Annotated[
    str | None,
    typer.Option(
        help="Load the encoder that the model names, a folder or a model on a hub; nothing is loaded unasked.",
        show_default=False,
    ),
]
SETTINGS = ("alpha", "gamma", "phi", "stop_keywords", "language", "inflections")
"""Fields of `Settings` that are options under the same names."""
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only results, warnings and errors.")]


@dataclass(frozen=True)
class Learning:
    """How to learn and decide; the names are those of `KeywordClassifier`, its `Settings` and its `LearnConfig`."""

    prior: Annotated[str, typer.Option(help="Share of relevant documents: a number, estimate or heuristic.")] = (
        "estimate"
    )
    threshold: Annotated[
        str, typer.Option(help="Cut by the prior, max_f1, precision=0.9, recall=0.95, top=100 or a score.")
    ] = "prior"
    top: Annotated[int | None, typer.Option(help="Decide this many documents positive.", show_default=False)] = None
    encoder: Annotated[
        str,
        typer.Option(
            help="Sentence vectors: minilm (English), none, or a sentence-transformers model (pip install"
            " 'keysift\\[encoder]')."
        ),
    ] = "minilm"
    encode_budget: Annotated[
        float,
        typer.Option(
            help="Seconds for encoding; other documents are scored by words that the encoder taught.",
            rich_help_panel="Learning",
        ),
    ] = 120.0
    vectors: Annotated[
        str,
        typer.Option(
            help="glove-6b-50d, corpus (learned from your documents) or a GloVe or word2vec text file.",
            rich_help_panel="Learning",
        ),
    ] = "glove-6b-50d"
    views: Annotated[
        str,
        typer.Option(help="What is looked at: words, characters, sentences, or auto.", rich_help_panel="Learning"),
    ] = "auto"
    loss: Annotated[str, typer.Option(help="Margin loss; symmetric ones are robust.", rich_help_panel="Learning")] = (
        "sigmoid"
    )
    rounds: Annotated[
        int, typer.Option(help="Rounds of self-training, where it is trusted; 0 for none.", rich_help_panel="Learning")
    ] = 4
    negation: Annotated[
        str,
        typer.Option(
            help="The word that negates a keyword, by default 'not'; '' for none.", rich_help_panel="Learning"
        ),
    ] = "auto"
    l2: Annotated[float, typer.Option(help="Strength of the penalty.", rich_help_panel="Learning")] = 1.0
    round_l2: Annotated[
        float, typer.Option(help="The same in a round of self-training.", rich_help_panel="Learning")
    ] = 0.1
    language: Annotated[
        str,
        typer.Option(
            help="Of the documents: a code such as en or de, auto (guess) or none.", rich_help_panel="Reading"
        ),
    ] = "auto"
    exclude: Annotated[
        str,
        typer.Option(
            help="Not these: -k 'free' --exclude 'love, hate' is -k 'free, -love, -hate'.",
            rich_help_panel="Reading",
            show_default=False,
        ),
    ] = ""
    inflections: Annotated[
        bool, typer.Option(help="Match keywords in their other forms, too.", rich_help_panel="Reading")
    ] = True
    stop_words: Annotated[
        str,
        typer.Option(
            help="auto (those of the language), a language, none or a file with one a line.", rich_help_panel="Learning"
        ),
    ] = "auto"
    random_state: Annotated[int, typer.Option(help="Seed.", rich_help_panel="Learning")] = 0
    alpha: Annotated[int, typer.Option(help="Weight of the keywords.", rich_help_panel="Paper")] = 3
    gamma: Annotated[int, typer.Option(help="Nearest words added for each keyword.", rich_help_panel="Paper")] = 0
    phi: Annotated[
        float, typer.Option(help="Percentage of matching documents taken as positive.", rich_help_panel="Paper")
    ] = 100.0
    never_add: Annotated[
        str,
        typer.Option(help="Words that are no nearest words, by commas.", rich_help_panel="Paper", show_default=False),
    ] = ""
    stop_keywords: Annotated[
        str, typer.Option(help="keep or drop keywords that are stop words.", rich_help_panel="Paper")
    ] = "keep"

    def ranker(self, keywords: str, network: "Network | None" = None) -> "KeywordRanker":
        """The ranker that these options describe."""
        from keysift.decide.prior import check_prior

        if self.prior == "audit":
            raise SettingError(
                "The prior is a number, estimate or heuristic; got 'audit'. To take it from answers, give --ask 20, or"
                " use `keysift audit apply`."
            )
        from keysift.features.views import check_views
        from keysift.keywords.parsing import parse_keywords
        from keysift.networks.choice import check_model
        from keysift.ranker import KeywordRanker
        from keysift.risk.losses import get_loss

        if network is not None and network.model == "linear" and (network.checkpoint or network.resume):
            raise SettingError("--checkpoint and --resume are for networks; add --model rcnn, cnn or mlp.")
        return KeywordRanker(
            parse_keywords(keywords, self.exclude),
            prior=check_prior(_number_or(self.prior)),
            threshold=self._threshold(),
            vectors=self.vectors,
            views="auto" if self.views.strip() == "auto" else check_views(_listed(self.views)),
            encoder=None if self.encoder == "none" else self.encoder,
            loss=get_loss(self.loss),
            model="linear" if network is None else check_model(network.model),
            training=None if network is None or network.model == "linear" else network.training(),
            random_state=self.random_state,
            settings=self._settings(),
            learning=self._learning(),
        )

    def files(self, keywords: str) -> list[str]:
        """What may name a file that is read."""
        return [name for name in (keywords, self.exclude, self.vectors, self.stop_words) if name]

    def _settings(self) -> "Settings":
        from keysift.settings import Settings

        options: dict[str, Any] = {name: getattr(self, name) for name in SETTINGS}
        return Settings(never_add=_listed(self.never_add), stop_words=self._stop_words(), **options)

    def _learning(self) -> "LearnConfig":
        from keysift.config import LearnConfig

        names = ("rounds", "negation", "l2", "round_l2", "encode_budget")
        return LearnConfig(**{name: getattr(self, name) for name in names})

    def _threshold(self) -> "Threshold":
        from keysift.decide.cuts import parse_cut

        if self.threshold != "prior" and self.top is not None:
            raise SettingError("Give --threshold or --top, not both.")
        if self.top is not None:
            if self.top < 1:
                raise SettingError(f"--top must be a whole number above 0; got {self.top}.")
            return ("top", self.top)
        return parse_cut(self.threshold).plain  # so that reports show it as a user writes it

    def _stop_words(self) -> str | list[str]:
        from keysift.text.languages import language_code

        path = Path(self.stop_words)
        if not path.is_file():
            try:
                return "english" if self.stop_words == "english" else language_code(self.stop_words)
            except SettingError:
                raise SettingError(
                    "--stop-words must be auto, none, a language (english, de) or a file with one word a line; got"
                    f" {self.stop_words!r}."
                ) from None
        try:
            return path.read_text(encoding="utf-8-sig").split()
        except (OSError, UnicodeDecodeError) as error:
            raise SettingError(f"--stop-words: {path} cannot be read as UTF-8 text ({error}).") from None


def _listed(names: str) -> tuple[str, ...]:
    """What stands between commas.

    >>> _listed("words, tfidf")
    ('words', 'tfidf')
    """
    return tuple(name.strip() for name in names.split(",") if name.strip())


def _number_or(text: str) -> float | str:
    """A number where the text is one.

    >>> _number_or("0.1"), _number_or("auto")
    (0.1, 'auto')
    """
    try:
        return float(text)
    except ValueError:
        return text


@dataclass(frozen=True)
class Network:
    """Which model to learn, and how a network is trained; the names are those of `Training`."""

    model: Annotated[
        str,
        typer.Option(
            help="linear, or a network: rcnn, cnn, mlp (pip install 'keysift\\[neural]').", rich_help_panel="Networks"
        ),
    ] = "linear"
    epochs: Annotated[
        int | None,
        typer.Option(
            help="The most passes over the documents; by default about a hundred steps.",
            rich_help_panel="Networks",
            show_default=False,
        ),
    ] = None
    optimizer: Annotated[str, typer.Option(help="adam, amsgrad, adamw or sgd.", rich_help_panel="Networks")] = "adam"
    learning_rate: Annotated[float, typer.Option(help="Step of the optimiser.", rich_help_panel="Networks")] = 5e-4
    batch_size: Annotated[int, typer.Option(help="Documents in a step.", rich_help_panel="Networks")] = 256
    batches: Annotated[
        str, typer.Option(help="balanced between the two sets, or natural.", rich_help_panel="Networks")
    ] = "balanced"
    fine_tune: Annotated[bool, typer.Option(help="Learn the word vectors too.", rich_help_panel="Networks")] = False
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="Write the state here after every epoch.", rich_help_panel="Networks", show_default=False),
    ] = None
    resume: Annotated[bool, typer.Option(help="Go on from the checkpoint.", rich_help_panel="Networks")] = False

    def training(self) -> "Training":
        """The training that these options describe."""
        from keysift.networks.training import Training

        options: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(self)}
        return Training(**{name: value for name, value in options.items() if name != "model"})
