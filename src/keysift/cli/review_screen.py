"""The screen of a review: one document, one key; every answer is saved before the next document is shown."""

import sys
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

if TYPE_CHECKING:
    from keysift.corpus.documents import Corpus

HELP = "y yes  n no  u unsure  b back  s skip  o note  e evidence  m more  c stop check  q quit"
ACTIONS = {**WORDS, "skip": "s", "note": "o", "evidence": "e", "more": "m", "check": "c"}
"""What a pipe may say in place of a key."""


class ReviewScreen:
    """Shows documents and takes keys until somebody quits or none is left."""

    def __init__(self, corpus: "Corpus", review: Reviewer) -> None:
        self.corpus, self.review = corpus, review
        self._notes = review.state.notes()
        self._pattern = words_pattern(words_of(review.result.matches))
        self.console = results_console()
        self._reasons = self._whole = False
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
            self._whole = not self._whole
            return True
        if key == "o":
            self._note(shown)
            return True
        self._reasons = self._whole = False  # they are shown for one document, and asked for
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
                self._message = f"{key!r} is no key; {HELP}."
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
        text = self.corpus.texts[shown.place]
        progress = self.review.progress()
        parts = [marked_text(text, self._pattern, len(text) if self._whole else LONGEST)]
        if note := self._notes.get(int(self.review.numbers[shown.place])):
            parts += [Text(), plain(f"Note: {note}")]
        if self._reasons:
            parts += [Text(), plain(self._evidence(shown.place))]
        check = progress.check
        drawn = f" · stop check {check.nth}" if shown.chosen == SAMPLE and check is not None else ""
        title = plain(f"{progress.read + 1:,} · {self._id(shown.place)}{drawn}")
        lines = [plain(line) for line in progress_lines(progress)]
        if self.console.is_terminal:
            self.console.clear()
        self.console.print(
            Group(Panel(Group(*parts), title=title, title_align="left"), *lines, Text(HELP, style="dim"))
        )
        if self.review.failed is not None:
            self.console.print(plain(f"Saved, but not learned: {self.review.failed}"), style="yellow")
        if self._message:
            self.console.print(plain(self._message), style="yellow")

    def _evidence(self, place: int) -> str:
        import numpy as np

        ranking = self.review.result.ranking
        rank = int((ranking.scores > ranking.scores[place]).sum()) + 1
        reasons = ranking.evidence(np.array([place]))[0]
        return f"Rank {rank:,} of {len(ranking):,}, score {ranking.scores[place]:.2f}; {reasons}"

    def _id(self, place: int) -> str:
        return str(self.corpus.ids[place])
