import os
import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from keysift.errors import InputError, OutputError
from keysift.review.database import FILE, VERSION
from keysift.review.state import AUDIT, BEST, LABEL, SKIPPED, State

HASHES, IDS = ["ha", "hb", "hc", "hd"], ["a", "b", "c", "d"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Four documents, of which b is relevant and c is not."""
    folder = tmp_path / "project"
    with State.open(folder) as state:
        numbers = state.corpus(HASHES, IDS, "docs.csv")
        state.answer(int(numbers[1]), "y", BEST)
        state.answer(int(numbers[2]), "n", LABEL)
    return folder


def answered(folder: Path, hashes: list[str], ids: list[str]) -> dict[str, str]:
    """The answers by id, for a corpus as it is now."""
    with State.open(folder) as state:
        numbers = state.corpus(hashes, ids, "docs.csv").tolist()
        said = state.answers()
    return {id: said[number].answer for id, number in zip(ids, numbers, strict=True) if number in said}


def test_answers_follow_documents_that_were_sorted_anew_and_joined_by_others(project: Path) -> None:
    assert answered(project, ["hx", "hd", "hc", "hb", "ha"], ["x", "d", "c", "b", "a"]) == {"b": "y", "c": "n"}
    # Ids that are row numbers change with the order: the text tells.
    assert answered(project, ["hb", "hx", "hc", "ha", "hd"], ["1", "2", "3", "4", "5"]) == {"1": "y", "3": "n"}


def test_of_equal_texts_the_id_tells(tmp_path: Path) -> None:
    with State.open(tmp_path) as state:
        numbers = state.corpus(["h", "h", "h2"], ["a", "b", "c"], "docs.csv")
        state.answer(int(numbers[1]), "y", BEST)
    assert answered(tmp_path, ["h2", "h", "h"], ["c", "b", "a"]) == {"b": "y"}


def test_an_answer_to_a_document_that_is_gone_is_kept(project: Path) -> None:
    assert answered(project, ["ha", "hc", "hd"], ["a", "c", "d"]) == {"c": "n"}
    with State.open(project) as state:
        assert state.gone() == (1, 0)
        state.corpus(["ha", "hnew", "hc", "hd"], ["a", "b", "c", "d"], "docs.csv")
        assert state.gone() == (1, 1)  # its id is there, with another text
    assert answered(project, HASHES, IDS) == {"b": "y", "c": "n"}
    with State.open(project) as state:
        assert state.gone() == (0, 0)


def test_another_corpus_is_refused_and_changes_nothing(project: Path) -> None:
    with (
        State.open(project) as state,
        pytest.raises(InputError, match=r"another corpus: 4 documents .*, of which 1 are among the 5 of other.csv"),
    ):
        state.corpus(["ha", "h1", "h2", "h3", "h4"], ["a", "1", "2", "3", "4"], "other.csv")
    assert answered(project, HASHES, IDS) == {"b": "y", "c": "n"}


def test_a_project_without_an_answer_takes_any_corpus(tmp_path: Path) -> None:
    with State.open(tmp_path) as state:
        state.corpus(HASHES, IDS, "docs.csv")
        numbers = state.corpus(["h1", "h2"], ["1", "2"], "other.csv")
        state.note(int(numbers[0]), "mine")
        with pytest.raises(InputError, match="another corpus: 2 documents"):
            state.corpus(HASHES, IDS, "docs.csv")


def test_an_answer_is_replaced_taken_back_and_remembered_in_order(project: Path) -> None:
    with State.open(project) as state:
        numbers = [int(number) for number in state.corpus(HASHES, IDS, "docs.csv")]
        state.answer(numbers[0], SKIPPED, BEST)
        state.answer(numbers[1], "unsure", AUDIT)
        assert [(number, given.answer) for number, given in state.answers().items()] == [
            (numbers[2], "n"),
            (numbers[0], SKIPPED),
            (numbers[1], "unsure"),
        ]
        state.take_back(numbers[1])
        assert list(state.answers()) == [numbers[2], numbers[0]]


def test_answers_by_text_leave_out_what_is_contradictory_or_skipped(tmp_path: Path) -> None:
    with State.open(tmp_path) as state:
        a, b, c, d, e = map(int, state.corpus(["h", "h", "i", "j", "j"], list("abcde"), "docs.csv"))
        for number, answer in ((a, "y"), (b, "y"), (c, SKIPPED), (d, "y"), (e, "n")):
            state.answer(number, answer, BEST)
        assert state.answers_by_text() == {"h": "y"}


def test_notes_keywords_and_settings(project: Path) -> None:
    with State.open(project) as state:
        state.note(1, "read the whole")
        state.note(2, "twice")
        state.note(2, "")
        assert state.notes() == {1: "read the whole"}
        assert state.use_keywords("hockey")
        assert not state.use_keywords("hockey")
        assert state.use_keywords("hockey, puck")
        assert state.keywords == ["hockey", "hockey, puck"]
        state.remember({"source": "docs.csv", "reading": {"text": ["title", "abstract"]}})
        state.remember({"source": "more.csv"})
    with State.open(project) as state:
        assert state.settings == {"source": "more.csv", "reading": {"text": ["title", "abstract"]}}


def test_a_stop_check_keeps_its_frame_in_order(project: Path) -> None:
    with State.open(project) as state:
        state.begin_check(np.array([4, 1]))
        (check,) = state.checks()
        assert check.running
        assert check.frame.tolist() == [4, 1]
        assert check.last_document == 4
        state.end_check(check.number, 1)
        assert [(one.running, one.drawn) for one in state.checks()] == [(False, 1)]
        state.begin_check(np.array([1]))
        state.end_check(state.checks()[-1].number, 0)  # nothing was read of it
        assert len(state.checks()) == 1


@pytest.mark.parametrize("there", [False, True])
def test_a_start_that_fails_leaves_nothing_behind(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "project"
    if there:
        folder.mkdir()
        (folder / "mine.txt").write_text("mine")
    with pytest.raises(ZeroDivisionError), State.open(folder):
        raise ZeroDivisionError
    assert sorted(path.name for path in tmp_path.rglob("*")) == (["mine.txt", "project"] if there else [])


def test_a_failure_after_something_was_kept_keeps_it(tmp_path: Path) -> None:
    with suppress(ZeroDivisionError), State.open(tmp_path / "project") as state:
        state.use_keywords("tax")
        raise ZeroDivisionError
    with State.open(tmp_path / "project", new=False) as state:
        assert state.keywords == ["tax"]


def test_two_at_once(project: Path) -> None:
    with (
        State.open(project),
        pytest.raises(OutputError, match=r"is open in a review or an audit by another process \(number \d+\)"),
        State.open(project),
    ):
        pass


def test_a_path_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(OutputError, match="it is a file; give a folder"), State.open(tmp_path / "notes"):
        pass
    assert (tmp_path / "notes").read_text() == "mine"


def test_a_folder_without_a_review_where_one_is_needed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no review"), State.open(tmp_path / "nothing", new=False):
        pass
    assert not (tmp_path / "nothing").exists()


def test_a_newer_format(project: Path) -> None:
    database = sqlite3.connect(project / FILE)
    database.execute(f"PRAGMA user_version = {VERSION + 1}")
    database.close()
    with pytest.raises(InputError, match=f"newer keysift .its format is {VERSION + 1}"), State.open(project):
        pass


def test_a_database_of_another_program(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / FILE)
    database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    with pytest.raises(InputError, match="is no project of keysift"), State.open(tmp_path):
        pass


@pytest.mark.parametrize("damage", ["header", "pages", "not a database"])
def test_a_damaged_file(project: Path, damage: str) -> None:
    path = project / FILE
    data = bytearray(path.read_bytes())
    if damage == "header":
        data[:16] = b"x" * 16
    elif damage == "pages":
        data[4096:] = os.urandom(len(data) - 4096)
    else:
        data = bytearray(b"dear diary\n" * 1000)
    path.write_bytes(data)
    with pytest.raises(InputError, match="is damaged, or no project of keysift"), State.open(project) as state:
        state.answers()
    assert path.read_bytes() == bytes(data)


def test_a_full_disk_says_that_the_answer_was_not_saved(project: Path) -> None:
    with State.open(project) as state:
        (pages,) = state._database.execute("PRAGMA page_count").fetchone()
        state._database.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(OutputError, match="The note was not saved: the disk is full"):
            state.note(1, "a long note " * 5000)
        state._database.execute("PRAGMA foreign_keys = OFF")
        with pytest.raises(OutputError, match="The answers were not saved: the disk is full"):
            state.answer_all([(number, "n") for number in range(100, 5000)], BEST)
    assert answered(project, HASHES, IDS) == {"b": "y", "c": "n"}


def test_a_folder_that_cannot_be_written(project: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    (project / FILE).chmod(0o400)
    with State.open(project) as state, pytest.raises(OutputError, match="cannot be written"):
        state.answer(1, "y", BEST)


KILLED = """
import sys
from keysift.review.state import BEST, State
with State.open(sys.argv[1]) as state:
    numbers = state.corpus([str(n) for n in range(500)], [str(n) for n in range(500)], "docs.csv")
    for number in numbers.tolist():
        state.answer(number, "y", BEST)
        print(number, flush=True)
"""


def test_killed_at_any_moment_nothing_is_lost_that_was_told_to_be_saved(tmp_path: Path) -> None:
    for wanted in (3, 17, 40):
        folder = tmp_path / str(wanted)
        process = subprocess.Popen([sys.executable, "-c", KILLED, str(folder)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(wanted)]
        process.kill()
        told += [int(line) for line in process.stdout if line.endswith("\n")]
        process.wait()
        process.stdout.close()
        with State.open(folder) as state:
            assert set(told) <= set(state.answers())
            assert len(state.answers()) <= len(told) + 1
