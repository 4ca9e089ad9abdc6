"""A warning shows the line of whoever called keysift, however deep the reason lies."""

import re
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

import keysift
from keysift import LearnConfig, Session
from keysift.errors import KeysiftWarning
from tests.light import KEYWORDS, LIGHT

pytestmark = pytest.mark.usefixtures("small_glove")

SCRIPT = """
from keysift import KeywordClassifier, Session, LearnConfig
from keysift.pipeline import match, prepare
documents = ["a hockey game", "a tax law", "the hockey team", "the court"] * 20
light = {"encoder": None, "views": "words"}
clf = KeywordClassifier(["hockey", "absent"], **light)
clf.fit(documents)  # here
few = KeywordClassifier(["hockey"], learning=LearnConfig(max_iter=1), **light)
few.fit_rank(documents)  # here
few.fit(documents, audit={0: 1})  # here
few.predict(["a hockey game"] * 60)  # here
few.predict_proba(["a hockey game"] * 60)  # here
few.rank(["a hockey game"] * 60)  # here
Session(documents, **light).keywords(["hockey", "absent"])  # here
match(prepare(documents, **light), ["hockey", "absent"])  # here
"""


def test_a_script_sees_its_own_lines(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, "-W", "always", script], capture_output=True, text=True, check=True)
    told = re.findall(r"^(.*?):(\d+): KeysiftWarning", done.stderr, flags=re.MULTILINE)
    wanted = [number for number, line in enumerate(SCRIPT.splitlines(), start=1) if line.endswith("# here")]
    assert {name for name, _ in told} == {str(script)}
    assert sorted({int(number) for _, number in told}) == wanted


def test_no_warning_counts_frames_by_hand() -> None:
    package = Path(keysift.__file__).parent
    texts = {path: path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    assert [path.name for path, text in texts.items() if "warnings.warn(" in text or "stacklevel" in text] == []


def test_a_warning_from_a_thread_shows_who_started_it(texts: list[str]) -> None:
    session = Session(texts, **{**LIGHT, "learning": LearnConfig(max_iter=1, rounds=0)})
    session.keywords(KEYWORDS)
    with pytest.warns(KeysiftWarning, match="A fit stopped after 1 steps") as seen:
        session.learn(cancel=Event())
    assert [warning.filename for warning in seen] == [__file__]
