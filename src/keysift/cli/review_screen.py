"""The screen of a review: one document, one key; every answer is saved before the next document is shown."""

import sys
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.console import Group
from rich.panel import Panel
from rich.text import Text

from keysift.cli.console import output as results_console
from keysift.cli.console import plain, say
from keysift.cli.keys import read_line, single_keys
from keysift.cli.labelling import BACK, KEYS, LONGEST, QUIT, WORDS, marked_text, next_key
from keysift.errors import SettingError
from keysift.present.highlight import words_of, words_pattern
from keysift.present.review import progress_lines
from keysift.review.state import SAMPLE
from keysift.reviewer import Reviewer, Shown
from keysift.text.visible import visible

if TYPE_CHECKING:
    from keysift.corpus.documents import Corpus

HELP = "y yes  n no  u unsure  b back  s skip  o note  e evidence  m more  c check  q quit"
ACTIONS = {**WORDS, "skip": "s", "note": "o", "evidence": "e", "more": "m", "check": "c"}
"""What a pipe may say in place of a key."""
FRAME = 4
"""Columns of the border around a document, with the space within."""
LEAST = 5
"""Lines for a document with its border, however small the screen is."""
NO_BREAK = "\N{NO-BREAK SPACE}%"


class ReviewScreen:
    """Shows documents and takes keys until somebody quits or none is left."""

    def __init__(self, corpus: "Corpus", review: Reviewer) -> None:
        self.corpus, self.review = corpus, review
        self._notes = review.state.notes()
        self._pattern = words_pattern(words_of(review.result.matches))
        self.console = results_console()
        self._reasons, self._page = False, 0
        self._message = ""

    def run(self) -> None:
        """Until the end."""
        with single_keys(interrupt=False):
            try:
                while (shown := self.review.current) is not None:
                    self.show(shown)
                    if not self.act(shown, next_key(ACTIONS)):
                        break
            except KeyboardInterrupt:  # every answer is saved already
                pass
        if self._message:
            say(self._message)

    def act(self, shown: Shown, key: str) -> bool:
        """Do what a key asks for; whether to go on."""
        review, self._message = self.review, ""
        if key in QUIT:
            return False
        if key == "e":
            self._reasons = not self._reasons
            return True
        if key == "m":
            self._page += 1
            return True
        if key == "o":
            self._note(shown)
            return True
        self._reasons, self._page = False, 0  # they are shown for one document, and asked for
        try:
            if key in KEYS:
                review.answer(KEYS[key])
            elif key in BACK:
                self._message = self._back()
            elif key == "s":
                review.skip()
            elif key == "c":
                started = "From now on documents are drawn at random from what is unread; c ends this."
                self._message = started if review.check() else "The stop check has ended; reading goes on best first."
            else:
                self._message = f"{key!r} is no key; the keys are named above."
        except SettingError as error:  # what cannot be done now
            self._message = str(error)
        return True

    def _back(self) -> str:
        place = self.review.back()
        return "There is nothing to go back to." if place is None else f"Took back the answer to {self._id(place)}."

    def _note(self, shown: Shown) -> None:
        if sys.stdin.isatty():
            self.console.print("Note: ", end="")
            line = read_line(lambda text: self.console.print(plain(text), end="", soft_wrap=True))
            self.console.print()
        else:
            line = sys.stdin.readline()
        if line is None:
            self._message = "The note was left as it is."
            return
        self.review.note(line.strip())
        self._notes[int(self.review.numbers[shown.place])] = line.strip()
        self._message = "Saved the note." if line.strip() else "Removed the note."

    def show(self, shown: Shown) -> None:
        """Put a document on the screen, and how far the review is."""
        progress = self.review.progress()
        below = [plain(line) for line in self._wrapped(*progress_lines(progress))]
        below += [Text(line, style="dim") for line in self._wrapped(HELP)]
        if self.review.failed is not None:
            below += [plain(line) for line in self._wrapped(f"Saved, but not learned: {self.review.failed}")]
        below += [Text(visible(line), style="yellow") for line in self._wrapped(self._message)]
        said = self._said(shown)
        check = progress.check
        drawn = f" · stop check {check.nth}" if shown.chosen == SAMPLE and check is not None else ""
        title = plain(f"Document {progress.read + 1:,} · {self._id(shown.place)}{drawn}")
        text = self.corpus.texts[shown.place]
        if not self.console.is_terminal:
            whole = marked_text(text, self._pattern, len(text) if self._page % 2 else LONGEST)
            self.console.print(Group(Panel(Group(whole, *said), title=title, title_align="left"), *below))
            return
        # One line below stays free: of the message, or of a note; nothing moves from one document to the next.
        height = max(LEAST, self.console.height - 1 - len(below) - (not self._message))
        lines, more = self._lines(text, max(1, height - 2 - len(said)))
        panel = Panel(Group(*lines, *said), title=title, title_align="left", height=height)
        panel.subtitle, panel.subtitle_align = more, "right"
        with self.console:  # all at once, or it flickers
            self.console.clear()
            self.console.print(Group(panel, *below))

    def _lines(self, text: str, room: int) -> tuple[list[Text], str | None]:
        """As many lines of a document as there is room for, and what m shows."""
        width = self.console.width - FRAME
        while True:
            end = room * (self._page + 1)
            lines = marked_text(text, self._pattern, end * width + 1).wrap(self.console, width)
            if not self._page or len(lines) > end - room:
                break
            self._page = 0  # after the end comes the beginning
        more = "m: more" if len(lines) > end else "m: back to the beginning" if self._page else None
        return list(lines[end - room : end]), more

    def _said(self, shown: Shown) -> list[Text]:
        """The note on a document, and its evidence if that is asked for, line by line."""
        note = self._notes.get(int(self.review.numbers[shown.place]))
        parts = [f"Note: {note}"] if note else []
        if self._reasons:
            parts.append(self._evidence(shown.place))
        return [
            line for part in parts for line in (Text(), *plain(part).wrap(self.console, self.console.width - FRAME))
        ]

    def _wrapped(self, *sentences: str) -> list[str]:
        """Lines as wide as the screen; a number and its percent sign stay together."""
        lines = (wrap(sentence.replace(" %", NO_BREAK), self.console.width) for sentence in sentences)
        return [line.replace(NO_BREAK, " %") for part in lines for line in part]

    def _evidence(self, place: int) -> str:
        import numpy as np

        ranking = self.review.result.ranking
        rank = int((ranking.scores > ranking.scores[place]).sum()) + 1
        reasons = ranking.evidence(np.array([place]))[0]
        return f"Rank {rank:,} of {len(ranking):,}, score {ranking.scores[place]:.2f}; {reasons}"

    def _id(self, place: int) -> str:
        return str(self.corpus.ids[place])
